import fc from 'fast-check';
import type { StatePod } from '#scheduling/state/scheduling-state.ts';
import { labelSelector, seldom } from './state-arbitraries.ts';

/* What scores look at and filters do not, added to pods. */

const hostname = 'kubernetes.io/hostname';
const weight = fc.integer({ min: 1, max: 100 });
const topologyKey = fc.constantFrom('zone', 'rack', hostname);

const preferredPods = fc.array(
  fc.record({
    weight,
    term: fc.record({
      topologyKey,
      selector: labelSelector,
      namespaces: fc.constantFrom(['default'], ['other', 'default']),
    }),
  }),
  { maxLength: 2 },
);

const preferredNodes = fc.array(
  fc.record({
    weight,
    term: fc.record({
      matchExpressions: fc.array(
        fc.record({
          key: fc.constantFrom('a', 'zone', hostname),
          operator: fc.constantFrom('In' as const, 'NotIn' as const),
          values: fc.array(fc.constantFrom('1', 'z1', 'n1'), { minLength: 1, maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
      matchFields: fc.constant([]),
    }),
  }),
  { maxLength: 2 },
);

const preferences = fc.record({
  near: preferredPods,
  apart: preferredPods,
  nodes: preferredNodes,
  owner: seldom(
    fc.constantFrom(
      { kind: 'ReplicaSet', uid: 'u1' },
      { kind: 'StatefulSet', uid: 'u2' },
      { kind: 'Job', uid: 'u3' },
    ),
    2,
  ),
  /** Half of the spread constraints only weigh. */
  softens: fc.boolean(),
  scoredRequests: seldom(fc.record({ cpu: fc.integer({ min: 1, max: 4 }) }), 4),
});

/** The pods with preferences of their own; those of one owner are in one namespace. */
export const withPreferences = (pods: fc.Arbitrary<StatePod[]>): fc.Arbitrary<StatePod[]> =>
  pods.chain((list) =>
    fc
      .array(preferences, { minLength: list.length, maxLength: list.length })
      .map((all) => list.map((pod, index) => prefer(pod, all[index]))),
  );

type Preferences = typeof preferences extends fc.Arbitrary<infer Value> ? Value : never;

function prefer(pod: StatePod, given: Preferences | undefined): StatePod {
  if (given === undefined) return pod;
  const { near, apart, nodes, owner, softens, scoredRequests } = given;
  return {
    ...pod,
    ...(owner === undefined
      ? {}
      : { namespace: 'default', owner: { ...owner, name: `owner-${owner.uid}` } }),
    ...(scoredRequests === undefined ? {} : { scoredRequests }),
    preferredNodeAffinity: nodes,
    podAffinity: { required: pod.podAffinity?.required ?? [], preferred: near },
    podAntiAffinity: { required: pod.podAntiAffinity?.required ?? [], preferred: apart },
    ...(softens && pod.topologySpread !== undefined
      ? {
          topologySpread: pod.topologySpread.map((one) => ({
            ...one,
            whenUnsatisfiable: 'ScheduleAnyway' as const,
          })),
        }
      : {}),
  };
}
