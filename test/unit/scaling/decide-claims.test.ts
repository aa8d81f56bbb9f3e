import { describe, expect, it } from 'vitest';
import { decide, raises } from '../../helpers/decide.ts';
import {
  cpuAndMemory,
  group,
  instance,
  node,
  nodeOf,
  now,
  pod,
} from '../../helpers/scaling-builders.ts';

describe('a Node that claims an instance of another cluster', () => {
  const parts = {
    nodes: [node('stray', { providerId: 'aws:///us-east-1a/i-9' })],
    pods: [pod('web')],
  };
  const foreign = [{ id: 'i-9', group: 'their-workers', cluster: 'other' }];

  it('offers no room and is named, with the remedy', () => {
    expect(raises(parts)).toEqual([]);
    expect(raises({ ...parts, foreign })).toEqual([['workers-a', 0, 1]]);
    const { problems, scaleUps } = decide({ ...parts, foreign });
    expect(problems).toEqual([
      {
        field: 'nodes[stray].spec.providerID',
        code: 'foreignInstance',
        message:
          'the Node stray claims to be i-9, an instance of group their-workers of the cluster other: it is left out; delete the Node if it does not belong here, or correct the discovery tags of their-workers if it does',
      },
    ]);
    expect(scaleUps[0]?.reason).toContain('finds no node in the cluster');
  });

  it('keeps no pod waiting for room that preemption would make on it', () => {
    const nominated = { ...parts, pods: [pod('web', { nominatedNodeName: 'stray' })], foreign };
    expect(raises(nominated)).toEqual([['workers-a', 0, 1]]);
  });

  it('does not touch a Node whose zone alone is wrong', () => {
    const up = instance('i-1');
    const odd = nodeOf(up, { providerId: 'aws:///eu-west-1c/i-1' });
    const decision = decide({
      groups: [group('a', { desired: 1, instances: [up] })],
      nodes: [odd],
      pods: [pod('web')],
      foreign,
    });
    expect(decision.problems).toEqual([]);
    expect(decision.fits).toHaveLength(1);
  });
});

describe('two Nodes that claim one instance', () => {
  it('are named, and the newest counts', () => {
    const up = instance('i-1');
    const old = nodeOf(up, { name: 'old', createdAtMs: now - 2, ready: 'Unknown' });
    const made = nodeOf(up, { name: 'new', createdAtMs: now - 1 });
    const { problems, fits } = decide({
      groups: [group('a', { desired: 1, instances: [up] })],
      nodes: [old, made],
      pods: [pod('web', { requests: cpuAndMemory(500) })],
    });
    expect(problems).toEqual([
      {
        field: 'nodes[new].spec.providerID',
        code: 'instanceClaimedTwice',
        message:
          'the Nodes new, old all claim to be i-1: the newest, new, counts; delete old if that is what an earlier boot left behind',
      },
    ]);
    expect(fits.map(({ node: name }) => name)).toEqual(['new']);
  });
});
