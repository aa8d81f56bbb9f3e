import { testbedAvailable } from './testbed.ts';

/**
 * For `describe.skipIf`: true, said aloud, where the test bed cannot run on this machine. Throws where
 * `CI` is set.
 */
export const withoutTestbed = async (): Promise<boolean> => {
  const reason = await testbedAvailable();
  if (reason === undefined) return false;
  process.stderr.write(`\nNOT TESTED END TO END. ${reason}\n\n`);
  return true;
};
