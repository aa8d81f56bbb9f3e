import type { EmulatorControl } from '../../testbed/emulator-control.ts';
import type { Outage } from '../stage.ts';

/** A call of the adapters by IAM's names: `['sqs', 'SendMessage']`. */
export type AwsCall = readonly [service: string, action: string];

/** `twice`: what the SDK tries again by itself, where a call may be repeated; `always`: what it gives up. */
const answers = [
  { code: 'Throttling', fault: '429 twice', times: 2 },
  { code: 'Throttling', fault: '429 always', times: 1_000 },
  { code: 'InternalFailure', fault: '500 twice', times: 2 },
  { code: 'InternalFailure', fault: '500 always', times: 1_000 },
  { code: 'AccessDenied', fault: 'AccessDenied', times: 1_000 },
] as const;

/** What the emulated account can be made to answer to these calls, so that the adapters' own retries are in play. */
export const outagesOf = (calls: readonly AwsCall[], control: EmulatorControl): readonly Outage[] =>
  calls.flatMap(([service, action]) =>
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
