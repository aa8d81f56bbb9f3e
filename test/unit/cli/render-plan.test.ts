import { describe, expect, it } from 'vitest';
import type { Plan, PlanLimits } from '#operations/plan.ts';
import { renderPlan, renderReading } from '../../../cli/render/plan.ts';
import { styleOf } from '../../../cli/render/style.ts';
import { elide, fewOf, hanging, plain, table, wrap, wrapUnder } from '../../../cli/render/text.ts';

const empty: Plan = {
  cluster: 'shop',
  at: '2026-08-21T09:59:40Z',
  scaleUps: [],
  fits: [],
  stuck: [],
  scaleDowns: [],
  blockers: [],
  ignored: [],
  blockedGroups: [],
  problems: [],
  notes: [],
  summary: { pendingPods: 0, stuckPods: 0, newNodes: 0, removedNodes: 0, milliseconds: 1 },
};

const long = 'a-group-whose-name-somebody-made-far-too-long-for-any-terminal-to-show-in-one-line';

const full: Plan = {
  ...empty,
  scaleUps: [
    {
      group: long,
      zone: 'eu-central-1a',
      from: 1,
      to: 3,
      instanceType: 'm5.large',
      pods: Array.from({ length: 9 }, (_, index) => `shop/web-${index}`),
      reason: 'least waste of every group that could take these pods by a wide margin of CPU',
    },
    { group: 'any', from: 0, to: 1, pods: ['a/b'], reason: 'why' },
  ],
  fits: [{ pod: 'shop/cart', node: 'ip-10-0-0-1' }],
  stuck: [
    { pod: 'ml/a', reasons: [{ group: 'g', code: 'x', message: 'lacks a GPU' }] },
    { pod: 'ml/b', reasons: [{ group: 'g', code: 'x', message: 'lacks a GPU' }] },
    { pod: 'ml/c', reasons: [{ code: 'y', message: 'there is \u001b[31mno group' }] },
  ],
  ignored: [{ pod: 'low/p', code: 'z', message: 'is expendable' }],
  blockedGroups: [{ group: 'broken', code: 'noTemplate', message: 'has no launch template' }],
  summary: {
    pendingPods: 14,
    stuckPods: 3,
    newNodes: 3,
    removedNodes: 0,
    hourlyCostBefore: 0.2,
    hourlyCostAfter: 0.5449,
    milliseconds: 1,
  },
};

const whole: PlanLimits = { unusedInputs: 0, defaultPolicy: false, caveats: [] };

const rendered = (plan: Plan, width = 80, bold = false, limits = whole): string =>
  renderPlan({ plan, limits }, styleOf({ isTTY: true, columns: width }, { noColor: !bold }));

describe('the plan for people', () => {
  const text = rendered(full);

  it.each([40, 80, 120])('keeps every line within %i columns', (width) => {
    const tooLong = rendered(full, width)
      .split('\n')
      .filter((line) => [...line].length > width);
    expect(tooLong).toEqual([]);
  });

  it('says first what will be done, then what is stuck, then the rest', () => {
    const order = ['Groups to raise', 'Stuck', 'Fits', 'cannot be used', 'Left alone'];
    const places = order.map((title) => text.indexOf(title));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  it('gives money with two decimals and per hour', () => {
    expect(text).toMatch(/\$0\.20\/h -> \$0\.54\/h/);
    expect(rendered(empty)).not.toContain('$');
  });

  it('cuts a long name in the middle, but no reason', () => {
    expect(text).toMatch(/a-group-whose.*….*one-line/);
    expect(text.replace(/\s+/g, ' ')).toContain(full.scaleUps[0]?.reason);
    expect(text).toContain('AWS chooses');
    expect(text).toContain('and 3 more');
  });

  it('tells pods with the same reasons of once', () => {
    expect(text).toContain('ml/a, ml/b\n');
    expect(text.match(/lacks a GPU/g)).toHaveLength(1);
  });

  it('lets no control character of a name reach the terminal, and is bold only where asked', () => {
    expect(text).not.toContain('\u001b');
    expect(rendered(full, 80, true)).toContain('\u001b[1mGroups to raise\u001b[22m');
    expect(rendered(full, 80, true)).not.toContain('\u001b[31m');
  });

  it('says on its second line how many inputs are missing from it', () => {
    const lines = (limits: Partial<PlanLimits>): readonly string[] =>
      rendered(empty, 120, false, { ...whole, ...limits }).split('\n');
    expect(lines({ unusedInputs: 2 })[1]).toBe(
      'Incomplete: 2 inputs were not used (see standard error)',
    );
    expect(lines({ unusedInputs: 1, defaultPolicy: true })[1]).toBe(
      'Incomplete: 1 input was not used (see standard error); policy defaults were used, since the configuration is faulty',
    );
    expect(lines({ caveats: ['Deployed, other'] })[2]).toBe('Deployed, other');
  });

  it('does not call a pod stuck in every group that it has not judged', () => {
    const unknown = (pod: string, code: string) => ({ pod, reasons: [{ code, message: 'm' }] });
    const sections = rendered({
      ...empty,
      stuck: [unknown('a/volume', 'notJudged'), unknown('a/late', 'notLookedAt')],
    });
    expect(sections).not.toContain('no group can host');
    expect(sections).toMatch(/Not judged by this version \(see docs\/limits.md\)\n {2}a\/volume\n/);
    expect(sections).toMatch(/Not looked at to the end .*\n {2}a\/late\n/);
    const both = rendered({
      ...full,
      stuck: [...full.stuck, unknown('a/volume', 'notJudged')],
    });
    expect(both).toMatch(/no group can host[\s\S]*ml\/a[\s\S]*Not judged[\s\S]*a\/volume/);
  });

  it('says so where nothing is to be done', () => {
    expect(rendered(empty)).toMatch(
      /0 Pending pods, 0 stuck; 0 new nodes\n\nGroups to raise\n {2}none\n$/,
    );
  });
});

describe('how far the reading is', () => {
  it('is told in megabytes, with no control character of the file name', () => {
    const told = renderReading({ file: 'a\u001b.json', bytes: 90_000_000, done: 34_560_000 });
    expect(told).toBe('reading a?.json: 34.6 of 90.0 MB');
  });
});

describe('text', () => {
  it('is elided in the middle only where it must be', () => {
    expect(elide('abcdef', 6)).toBe('abcdef');
    expect(elide('abcdefgh', 5)).toBe('ab…gh');
    expect(elide('abcdefgh', 2)).toBe('ab');
  });

  it('is wrapped between words, and never inside one', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('a abcdefghij k', 4)).toEqual(['a', 'abcdefghij', 'k']);
    expect(wrapUnder('  ', 'one two three', 8)).toEqual(['one', '  two', '  three']);
    expect(wrapUnder('  ', 'one two', 7)).toEqual(['one two']);
    expect(hanging('- ', 'one two three four five six', 22)).toEqual([
      '- one two three four',
      '  five six',
    ]);
  });

  it('stands in columns', () => {
    const columns = [
      { title: 'A', elastic: true },
      { title: 'N', right: true },
    ];
    expect(
      table(
        columns,
        [
          ['long-name-here', '1'],
          ['b', '20'],
        ],
        14,
      ),
    ).toEqual(['A            N', 'long-…here   1', 'b           20']);
  });

  it('counts the rest of a long list', () => {
    expect(fewOf(['a', 'b', 'c'], 2)).toBe('a, b, c');
    expect(fewOf(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
    expect(plain('a\u001b[2Jb\u202ec')).toBe('a?[2Jb?c');
  });
});
