import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { groupPriorities } from '#scaling/choosing/priorities.ts';
import { readPriorities } from '#scaling/choosing/read-priorities.ts';

const tiersOf = (text: string) => {
  const read = readPriorities(text);
  return 'tiers' in read
    ? read.tiers.map(({ priority, expressions }) => [priority, expressions])
    : read.fault;
};

describe('priorities of the ConfigMap of Cluster Autoscaler', () => {
  it.each([
    ['10:\n  - .*t2\\.large.*\n  - .*t3\\.large.*\n50:\n  - .*m4\\.4xlarge.*\n'],
    ['10:\n- a\n- b\n'],
    ['---\n# cheap first\n50: # spot\n  - .*spot.* # all\n\n10:\n  - "od#1"\n'],
    ['"50":\n  - \'it\'\'s\'\n  - "a\\\\.b"\n'],
    ['100: [a, "b, c", \'d\']\n1: []\n'],
    ['10:\r\n  - a\r\n20:\r\n  - b\r\n'],
    ['-5:\n  - ^a$\n+7:\n  - (?i)B\n'],
    ['10:\n  - \n  - od*\n20:\n  - spot*\n'],
    ['10:\n  - a:b\n  - x y\n  - a#b\n'],
  ])('are read as YAML reads them: %j', (text) => {
    const yaml = parse(text, { mapAsMap: true }) as Map<number | string, (string | null)[]>;
    expect(tiersOf(text)).toEqual(
      [...yaml].map(([priority, list]) => [Number(priority), list.map((one) => one ?? '')]),
    );
  });

  it.each([
    ['', 'it is empty'],
    ['- a', 'line 1 is in no priority'],
    ['10:\n  - *spot*', 'line 2 is no plain or quoted text'],
    ['10:\n  - "open', 'line 2 is no plain or quoted text'],
    ['10:\n  - a\n10:\n  - b', 'line 3 has priority 10 a second time'],
    ['high:\n  - a', 'line 1 is neither a priority nor an expression'],
    ['10: a', 'line 1 is no list of texts'],
    ['10:\n\t- a', 'line 2 is indented by a tab'],
    ['10:\n  - a: b', 'line 2 is no plain or quoted text'],
  ])('are refused with their line: %j', (text, fault) => {
    expect(tiersOf(text)).toContain(fault);
  });

  it('never throw, and what they read is what YAML reads', () => {
    const line = fc
      .array(
        fc.constantFrom('10', ':', ' ', '- ', 'a.*', "'", '"', '[', ']', ',', '#', '\n', '-5'),
        {
          maxLength: 14,
        },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(line, (text) => {
        const read = readPriorities(text);
        if (!('tiers' in read)) return;
        let yaml: unknown;
        try {
          yaml = parse(text, { mapAsMap: true });
        } catch {
          return;
        }
        if (!(yaml instanceof Map) || ![...yaml.values()].every(Array.isArray)) return;
        const texts = [...yaml].map(([priority, list]) => [
          Number(priority),
          list.map((one: unknown) => (one === null ? '' : String(one))),
        ]);
        if (texts.some(([priority]) => !Number.isInteger(priority))) return;
        expect(read.tiers.map(({ priority, expressions }) => [priority, expressions])).toEqual(
          texts,
        );
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the priority of a group', () => {
  const priorities = groupPriorities('50:\n  - spot\n10:\n  - .*\n30:\n  - ^batch-\n  - (?i)GPU');

  it('is the highest whose expression is found anywhere in its name', () => {
    expect(['my-spot-1', 'batch-spot', 'batch-1', 'a-batch-1', 'x-gpu'].map(priorities.of)).toEqual(
      [50, 50, 30, 10, 30],
    );
    expect(priorities.problems).toEqual([]);
  });

  it('is none where no expression is found', () => {
    expect(groupPriorities('10:\n  - ^a$').of('b')).toBeUndefined();
  });

  it.each([
    [undefined, 'prioritiesMissing'],
    ['10:\n  - a\n  - "(b"', 'malformedPriorities'],
    ['oops', 'malformedPriorities'],
  ])('is none, and a problem is told, where the list is %j', (text, code) => {
    const { of, problems } = groupPriorities(text);
    expect(of('a')).toBeUndefined();
    expect(problems).toMatchObject([
      {
        field: 'configmaps[kube-system/cluster-autoscaler-priority-expander].data.priorities',
        code,
      },
    ]);
    expect(problems[0]?.message).toContain('the next expander decides');
  });
});
