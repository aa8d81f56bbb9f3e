import { describe, expect, it } from 'vitest';
import { refusal } from '../../oracle/extender.ts';
import { differences, verdictOf } from '../../oracle/verdict.ts';

const message = (told: string): string => `0/5 nodes are available: ${told}`;

describe('reading what the scheduler says', () => {
  it('counts nodes by reason, and leaves out those that its extender refused', () => {
    const said = message(`1 Too many pods, 2 Insufficient cpu, 2 ${refusal}.`);
    expect(verdictOf(said, ['b', 'a'])).toEqual({
      nodes: 5,
      passed: ['a', 'b'],
      reasons: { 'Too many pods': 1, 'Insufficient cpu': 2 },
    });
  });

  it('takes a reason with commas and full stops as one', () => {
    const odd = 'node(s) had untolerated taint {a: 1, b.c}, and more';
    expect(verdictOf(message(`5 ${odd}.`), []).reasons).toEqual({ [odd]: 5 });
  });

  it('knows a sentence without counts for one that was said before any node was looked at', () => {
    const verdict = verdictOf(message('persistentvolumeclaim "c1" not found.'), []);
    expect(verdict.rejected).toBe('persistentvolumeclaim "c1" not found');
    expect(verdict.reasons).toEqual({});
  });

  it('leaves out what is added after the filters', () => {
    const said = message('pod affinity terms conflict. not found');
    expect(verdictOf(said, []).rejected).toBe('pod affinity terms conflict');
  });

  it('knows a cluster without nodes, and anything else as an error', () => {
    expect(verdictOf('0/0 nodes are available: .', [])).toEqual({
      nodes: 0,
      passed: [],
      reasons: {},
    });
    expect(verdictOf('no nodes available to schedule pods', []).error).toContain('no nodes');
  });
});

describe('comparing verdicts', () => {
  const base = { nodes: 2, passed: ['a'], reasons: { 'Insufficient cpu': 1 } };

  it('finds nothing between equal ones, whatever the order of reasons', () => {
    const reasons = { x: 1, y: 2 };
    expect(differences({ ...base, reasons }, { ...base, reasons: { y: 2, x: 1 } })).toEqual([]);
  });

  it.each([
    [
      { ...base, passed: ['b'] },
      ['a: only the scheduler passes it', 'b: only the engine passes it'],
    ],
    [{ ...base, nodes: 3 }, ['the scheduler sees 2 nodes, the engine 3']],
    [
      { ...base, reasons: { 'Insufficient memory': 1 } },
      [
        '"Insufficient cpu": 1 nodes by the scheduler, 0 by the engine',
        '"Insufficient memory": 0 nodes by the scheduler, 1 by the engine',
      ],
    ],
    [{ ...base, rejected: 'no' }, ['before any node the scheduler says nothing, the engine "no"']],
  ])('tells each difference: %j', (engine, told) => {
    expect(differences(base, engine)).toEqual(told);
  });

  it('takes an error of the scheduler for a refusal of every node', () => {
    const error = { nodes: 0, passed: [], reasons: {}, error: 'boom' };
    expect(differences(error, { ...base, passed: [] })).toEqual([]);
    expect(differences(error, base)).toHaveLength(1);
  });
});
