import type { SQSRecord } from 'aws-lambda';
import { instanceLaunchUnsuccessful } from '#events/launch-failed.ts';
import { issuesText } from '../lib/schema-issues.ts';

/** What an event of AWS says. `malformed` says in one line which field is wrong and what to do. */
export type AwsEvent =
  | {
      readonly kind: 'launch-failed';
      readonly group: { readonly account: string; readonly name: string };
    }
  | { readonly kind: 'malformed'; readonly code: string; readonly message: string };

/** Reads the EventBridge envelope in the body of a queue message. Never throws. */
export const readAwsEvent = ({ body }: Pick<SQSRecord, 'body'>): AwsEvent => {
  let envelope: unknown;
  try {
    envelope = JSON.parse(body);
  } catch {
    return {
      kind: 'malformed',
      code: 'notJson',
      message: 'body: is not JSON; send the EventBridge envelope as it is',
    };
  }
  const event = instanceLaunchUnsuccessful.safeParse(envelope);
  if (event.success) {
    const { account, detail } = event.data;
    return { kind: 'launch-failed', group: { account, name: detail.AutoScalingGroupName } };
  }
  return { kind: 'malformed', code: 'schema', message: issuesText(event.error.issues) };
};
