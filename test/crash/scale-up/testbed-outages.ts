import type { EmulatorControl } from '../../testbed/emulator-control.ts';
import type { Outage } from '../stage.ts';

/** Calls of the adapters that the account answers badly, each by IAM's name. */
const calls = {
  raise: [
    ['autoscaling', 'DescribeAutoScalingGroups'],
    ['autoscaling', 'SetDesiredCapacity'],
    ['dynamodb', 'TransactWriteItems'],
    ['s3', 'PutObject'],
  ],
  held: [['sqs', 'SendMessageBatch']],
} as const satisfies Readonly<Record<string, readonly (readonly [string, string])[]>>;

/** `twice`: what the SDK tries again by itself, where a call may be repeated; `always`: what it gives up. */
const answers = [
  { code: 'Throttling', fault: '429 twice', times: 2 },
  { code: 'Throttling', fault: '429 always', times: 1_000 },
  { code: 'InternalFailure', fault: '500 twice', times: 2 },
  { code: 'InternalFailure', fault: '500 always', times: 1_000 },
  { code: 'AccessDenied', fault: 'AccessDenied', times: 1_000 },
] as const;

/** What the emulated account can be made to answer in this scene, so that the adapters' own retries are in play. */
export const testbedOutages = (scene: string, control: EmulatorControl): readonly Outage[] =>
  (scene === 'raise' || scene === 'held' ? calls[scene] : []).flatMap(([service, action]) =>
    answers.map(({ code, fault, times }): Outage => {
      let sinceMs = 0;
      return {
        call: action,
        fault,
        begin: async () => {
          sinceMs = Date.now();
          await control.inject({ service, action, code, times });
        },
        end: async () => {
          await control.clearFaults();
          const made = await control.calls({ service, action, sinceMs });
          return made.some((call) => call.fault === code);
        },
      };
    }),
  );
