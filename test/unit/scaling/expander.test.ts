import { describe, expect, it } from 'vitest';
import { leastWaste, unusedText } from '#scaling/expander.ts';
import type { ExpansionOption } from '#scaling/planning/expansion-option.ts';

const option = (over: Partial<ExpansionOption>): ExpansionOption => ({
  group: 'a',
  nodes: 1,
  pods: 1,
  requested: { cpu: 1000, memory: 1000 },
  capacity: { cpu: 2000, memory: 4000 },
  ...over,
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
