import { describe, expect, it } from 'vitest';
import { chooseOption, type ExpanderContext } from '#scaling/choosing/expander.ts';
import { unusedText } from '#scaling/choosing/waste.ts';
import type { ExpansionOption } from '#scaling/planning/expansion-option.ts';

const option = (over: Partial<ExpansionOption>): ExpansionOption => ({
  group: 'a',
  nodes: 1,
  pods: 1,
  classes: [],
  requested: { cpu: 1000, memory: 1000 },
  capacity: { cpu: 2000, memory: 4000 },
  ...over,
});

const leastWaste = (options: readonly ExpansionOption[]) => choose(['least-waste'], options);

const choose = (
  expanders: ExpanderContext['expanders'],
  options: readonly ExpansionOption[],
  known: {
    readonly prices?: Record<string, number>;
    readonly priorities?: Record<string, number>;
  } = {},
) =>
  chooseOption(options, {
    expanders,
    priceOf: (group) => known.prices?.[group],
    priorityOf: (group) => known.priorities?.[group],
  });

const picked = (...options: readonly ExpansionOption[]) => leastWaste(options)?.option.group;

describe('least waste', () => {
  it('picks nothing from nothing', () => {
    expect(leastWaste([])).toBeUndefined();
  });

  it('says how much stays unused, to the nearest percent', () => {
    expect(unusedText(option({}))).toBe('50 % of CPU, 75 % of memory unused');
    expect(unusedText(option({ requested: { cpu: 667, memory: 1340 } }))).toBe(
      '67 % of CPU, 67 % of memory unused',
    );
  });

  it('says nothing of a tie where there is none', () => {
    expect(leastWaste([option({}), option({ group: 'b', nodes: 2 })])).toMatchObject({ tie: '' });
  });

  it('adds the unused parts of CPU and memory', () => {
    const cpuHeavy = option({ group: 'a', requested: { cpu: 2000, memory: 0 } });
    const balanced = option({ group: 'b', requested: { cpu: 1200, memory: 2000 } });
    expect(picked(cpuHeavy, balanced)).toBe('b');
  });

  it('counts all new nodes', () => {
    const two = option({ group: 'a', nodes: 2 });
    const one = option({ group: 'b', nodes: 1 });
    expect(picked(two, one)).toBe('b');
  });

  it('breaks a tie by more pods helped: a group near its maximum leaves the rest to others', () => {
    const capped = option({ group: 'a' });
    const whole = option({
      group: 'b',
      nodes: 2,
      pods: 2,
      requested: { cpu: 2000, memory: 2000 },
    });
    expect(picked(capped, whole)).toBe('b');
    expect(leastWaste([capped, whole])?.tie).toBe('level with a, taken for more pods');
  });

  it('breaks a tie of as many pods by fewer nodes, then by name', () => {
    const many = option({ group: 'a', nodes: 2, requested: { cpu: 2000, memory: 2000 } });
    expect(picked(many, option({ group: 'b' }))).toBe('b');
    expect(leastWaste([many, option({ group: 'b' })])?.tie).toBe(
      'level with a, taken for fewer nodes',
    );
    expect(picked(option({ group: 'c' }), option({ group: 'b' }))).toBe('b');
  });

  it('tells apart what floating point cannot', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const with16 = (name: string, memory: number) =>
      option({
        group: name,
        nodes: 16,
        requested: { cpu: 8000, memory },
        capacity: { cpu: 1000, memory: most },
      });
    const roughWaste = (memory: number) => 0.5 + (16 * most - memory) / (16 * most);
    expect(roughWaste(most)).toBe(roughWaste(most - 1));
    const less = with16('z', most);
    const more = with16('a', most - 1);
    expect(picked(more, less)).toBe('z');
  });
});

describe('least nodes and most pods', () => {
  const two = option({ group: 'a', nodes: 2, pods: 5 });
  const one = option({ group: 'b', nodes: 1, pods: 4 });

  it('go by nodes and pods alone', () => {
    expect(choose(['least-nodes'], [two, one])?.option.group).toBe('b');
    expect(choose(['most-pods'], [two, one])?.option.group).toBe('a');
  });
});

describe('price', () => {
  const small = option({ group: 'small', nodes: 2, pods: 2, requested: { cpu: 3000, memory: 0 } });
  const large = option({ group: 'large', nodes: 1, pods: 2, requested: { cpu: 3000, memory: 0 } });

  it('takes what costs least in all', () => {
    const prices = { small: 96_000, large: 191_000 };
    expect(choose(['price'], [small, large], { prices })?.option.group).toBe('large');
    expect(
      choose(['price'], [small, large], { prices: { ...prices, small: 95_000 } })?.option.group,
    ).toBe('small');
  });

  it('takes no group that helps a few at little cost before one that helps all for less each', () => {
    const few = option({ group: 'few', pods: 1, requested: { cpu: 500, memory: 0 } });
    const prices = { few: 50_000, large: 200_000 };
    expect(choose(['price'], [few, large], { prices })?.option.group).toBe('large');
  });

  it('takes a group without a price last, and none at a time where no price is known', () => {
    expect(choose(['price'], [small, large], { prices: { large: 9e9 } })?.option.group).toBe(
      'large',
    );
    expect(choose(['price', 'least-nodes'], [small, large])?.option.group).toBe('large');
  });

  it('counts pods that ask for nothing', () => {
    const nothing = { requested: {}, pods: 3 };
    const prices = { a: 2, b: 1 };
    const options = [option({ group: 'a', ...nothing }), option({ group: 'b', ...nothing })];
    expect(choose(['price'], options, { prices })?.option.group).toBe('b');
  });
});

describe('priority', () => {
  const options = ['a', 'b', 'c'].map((group) => option({ group }));

  it('takes the highest, and groups without one only where all are', () => {
    expect(choose(['priority'], options, { priorities: { b: 10, c: 5 } })).toMatchObject({
      option: { group: 'b' },
      tie: '',
    });
    expect(choose(['priority'], options, { priorities: { c: -5 } })?.option.group).toBe('c');
    expect(choose(['priority'], options)).toMatchObject({
      option: { group: 'a' },
      tie: 'level with b, taken for its name',
    });
  });
});

describe('a chain of expanders', () => {
  it('lets each choose among those that are level for the one before it', () => {
    const wasteful = option({ group: 'a', requested: { cpu: 100, memory: 100 } });
    const options = [wasteful, option({ group: 'b' }), option({ group: 'c' })];
    const priorities = { a: 50, c: 50, b: 10 };
    expect(choose(['priority', 'least-waste'], options, { priorities })).toEqual({
      option: options[2],
      expanders: ['priority', 'least-waste'],
      tie: '',
    });
  });

  it('asks no further where one is left', () => {
    const options = [option({ group: 'a' }), option({ group: 'b' })];
    const chosen = choose(['priority', 'price', 'most-pods'], options, { priorities: { b: 1 } });
    expect(chosen).toMatchObject({ option: { group: 'b' }, expanders: ['priority'] });
  });
});
