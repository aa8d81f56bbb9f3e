import { describe, expect, it } from 'vitest';
import type { PodView } from '#cluster/snapshot.ts';
import { type Course, followed } from '#scheduling/replay/followed.ts';
import { schedulingState } from '#scheduling/state/scheduling-state.ts';
import { buildNode, buildPod } from '../../../helpers/cluster-builders.ts';

const pod = (name: string, cpu: number, over: Partial<PodView> = {}): PodView =>
  buildPod(name, { requests: { cpu }, ...over });

const small = [1, 2, 3, 4].map((nth) => pod(`small-${nth}`, 1000, { createdAtMs: nth }));

/** Nodes of 4 CPU, of which the first so many are there. */
const follow = (
  pods: readonly PodView[],
  {
    nodes,
    existing = nodes,
    courses,
  }: {
    readonly nodes: number;
    readonly existing?: number;
    readonly courses?: readonly Course[];
  },
) => {
  const state = schedulingState(
    { namespaces: [], storage: {} },
    Array.from({ length: nodes }, (_, at) => ({ template: buildNode(`n${at}`), pods: [] })),
  );
  const positions = [...Array(nodes).keys()];
  const outcome = followed({
    state,
    existing: positions.slice(0, existing),
    coming: positions.slice(existing),
    pods,
    ...(courses && { courses }),
  });
  expect(positions.map((node) => state.podsOn(node))).toEqual(positions.map(() => []));
  return outcome;
};

const names = (pods: readonly PodView[]): readonly string[] => pods.map(({ name }) => name);

describe('a plan that is followed', () => {
  const big = pod('big', 4000, { createdAtMs: 9 });

  it('has room for all, and still leaves the pod that comes after those which spread out', () => {
    expect(names(follow([...small, big], { nodes: 2 }).pending)).toEqual(['big']);
    expect(follow([...small, big], { nodes: 5 }).pending).toEqual([]);
  });

  it('lets whoever has priority choose first', () => {
    expect(follow([...small, { ...big, priority: 1 }], { nodes: 2 }).pending).toEqual([]);
  });

  it('fills the node that comes first, where they come one after the other', () => {
    const inTurn: Course = { ties: 'lowest', arrival: 'inTurn', queue: 'byAge' };
    const { bound } = follow(small, { nodes: 2, existing: 0, courses: [inTurn] });
    expect(bound.map(({ node }) => node)).toEqual([0, 0, 0, 0]);
    const together: Course = { ...inTurn, arrival: 'together' };
    const spread = follow(small, { nodes: 2, existing: 0, courses: [together] });
    expect(spread.bound.map(({ node }) => node)).toEqual([0, 1, 0, 1]);
  });

  it('tells the course in which most stay', () => {
    const inTurn: Course = { ties: 'lowest', arrival: 'inTurn', queue: 'byAge' };
    const together: Course = { ...inTurn, arrival: 'together' };
    const given = { nodes: 2, existing: 0, courses: [inTurn, together] };
    expect(follow([...small, big], given)).toMatchObject({ worst: together });
  });

  it('draws another order in which nodes come for another seed', () => {
    const hosts = (seed: number): readonly number[] => {
      const course: Course = { ties: 'lowest', arrival: 'drawn', queue: 'byAge', seed };
      const given = { nodes: 6, existing: 0, courses: [course] };
      return follow(small, given).bound.map(({ node }) => node);
    };
    const seeds = [1, 2, 3, 4, 5, 6];
    expect(new Set(seeds.flatMap(hosts)).size).toBeGreaterThan(1);
    for (const seed of seeds) expect(hosts(seed)).toEqual(hosts(seed));
  });
});
