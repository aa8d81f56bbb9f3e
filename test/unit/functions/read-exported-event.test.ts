import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { nodeSignalReasons } from '#events/kubernetes-event.ts';
import { readQueueMessage } from '../../../functions/scale-up/read-queue-message.ts';

/** What the guide tells people to configure. */
interface ExporterConfiguration {
  readonly route: {
    readonly routes: readonly {
      readonly match: readonly { readonly reason: string; readonly receiver: string }[];
    }[];
  };
  readonly receivers: readonly {
    readonly name: string;
    readonly eventbridge: {
      readonly source: string;
      readonly detailType: string;
      readonly details: Readonly<Record<string, string>>;
    };
  }[];
}

const guide = readFileSync(new URL('../../../docs/guides/relay.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const text = blocks.find((block) => block.includes('eventbridge:')) ?? '';
const { route, receivers } = parse(text) as ExporterConfiguration;
const patterns = route.routes.flatMap(({ match }) => match).map(({ reason }) => RegExp(reason));
const isSent = (reason: string): boolean => patterns.some((pattern) => pattern.test(reason));

/** Fills in the templates as the exporter does, for the fields that the guide uses. */
const exported = (reason: string, kind: string): string => {
  const receiver = receivers[0]?.eventbridge;
  const object = { Kind: kind, Namespace: 'default', Name: 'x', UID: 'uid-x' };
  const values: Readonly<Record<string, string>> = {
    '.Reason': reason,
    ...Object.fromEntries(
      Object.entries(object).map(([key, value]) => [`.InvolvedObject.${key}`, value]),
    ),
  };
  const filled = Object.entries(receiver?.details ?? {}).map(([key, template]) => [
    key,
    template.replace(/\{\{ (\S+) \}\}/g, (_, field: string) => values[field] ?? `no ${field}`),
  ]);
  return JSON.stringify({
    source: receiver?.source,
    'detail-type': receiver?.detailType,
    detail: Object.fromEntries(filled),
  });
};

describe("the guide's configuration of kubernetes-event-exporter", () => {
  it('sends what becomes a hint', () => {
    expect(isSent('FailedScheduling')).toBe(true);
    expect(readQueueMessage({ body: exported('FailedScheduling', 'Pod') })).toEqual({
      kind: 'hint',
      cluster: 'shop',
      trigger: 'pod-pending',
    });
    for (const reason of nodeSignalReasons) {
      expect(isSent(reason)).toBe(true);
      expect(readQueueMessage({ body: exported(reason, 'Node') })).toEqual({
        kind: 'hint',
        cluster: 'shop',
        trigger: 'node-signal',
      });
    }
  });

  it.each(['BackOff', 'NodeHasSufficientMemory', 'NodeNotReadyYet', 'FailedSchedulingX'])(
    'keeps %s to itself',
    (reason) => {
      expect(isSent(reason)).toBe(false);
    },
  );
});
