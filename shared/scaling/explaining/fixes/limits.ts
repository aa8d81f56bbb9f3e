import { nodesOfCluster, nodesOfGroup } from '../../choosing/limits.ts';
import type { ScaleUpInput } from '../../decision.ts';
import { groupPolicyOf } from '../../group-policy.ts';
import type { ClusterLimits, ScalingPolicy } from '../../policy.ts';
import type { Change } from '../explanation.ts';
import { beyondRepair, type Fixer } from '../fault.ts';
import { type YamlValue, yamlOf } from '../yaml.ts';

/** Large enough for whatever is to be planned: what is needed of it is seen then. */
const ample = 1_000_000;

/** To lift a limit changes more than to raise it. */
const liftSize = 1000;

interface Raise {
  readonly what: string;
  readonly from: number;
  /** What outrider.yaml says of the cluster then. */
  yaml(to: number): YamlValue;
  policy(before: ScalingPolicy, to: number): ScalingPolicy;
}

const raised = ({ what, from, yaml, policy }: Raise, to: number, cluster: string): Change => ({
  kind: 'policyLimit',
  message: `raise ${what} from ${from} to ${to}`,
  patch: `# outrider.yaml, of the cluster ${cluster}\n${yamlOf(yaml(to))}`,
  size: to - from,
  slot: what,
  apply: (input: ScaleUpInput) => ({ ...input, policy: policy(input.policy, to) }),
});

const withLimit =
  (name: 'nodes' | 'newNodes') =>
  (before: ScalingPolicy, to: number): ScalingPolicy => ({
    ...before,
    limits: { ...before.limits, [name]: to },
  });

/** The limit of all nodes, raised to what is planned then. */
export const fixClusterNodes: Fixer = (_site, { input, context }) => {
  const from = input.policy.limits?.nodes;
  if (from === undefined) return beyondRepair;
  const there = nodesOfCluster(input.snapshot, context.groups);
  const raise: Raise = {
    what: 'scaling.limits.nodes',
    from,
    yaml: (to) => ({ scaling: { limits: { nodes: to } } }),
    policy: withLimit('nodes'),
  };
  const exact = (_to: unknown, newNodes: number): Change =>
    raised(raise, there + newNodes, input.cluster);
  return [{ fixes: [{ ...raised(raise, from + ample, input.cluster), size: 1, exact }] }];
};

/** The limit of one decision; the next looks do the same without it. */
export const fixNewNodes: Fixer = (_site, { input }) => {
  const from = input.policy.limits?.newNodes;
  if (from === undefined) return beyondRepair;
  const raise: Raise = {
    what: 'scaling.limits.newNodes',
    from,
    yaml: (to) => ({ scaling: { limits: { newNodes: to } } }),
    policy: withLimit('newNodes'),
  };
  const exact = (_to: unknown, newNodes: number): Change => raised(raise, newNodes, input.cluster);
  return [{ fixes: [{ ...raised(raise, from + ample, input.cluster), size: 1, exact }] }];
};

/** The limit of the one group. */
export const fixGroupNodes: Fixer = ({ name, group: state }, { input }) => {
  const own = groupPolicyOf(input.policy, name);
  const from = own?.maxNodes;
  if (state === undefined || own === undefined || from === undefined) return beyondRepair;
  const raise: Raise = {
    what: `groups[].maxNodes of ${own.match}`,
    from,
    yaml: (to) => ({ groups: [{ match: own.match, maxNodes: to }] }),
    policy: (before, to) => ({
      ...before,
      groups: before.groups.map((one) =>
        one.match === own.match ? { ...one, maxNodes: to } : one,
      ),
    }),
  };
  const exact = (nodesAdded: (group: string) => number): Change =>
    raised(raise, nodesOfGroup(state) + nodesAdded(name), input.cluster);
  return [{ fixes: [{ ...raised(raise, from + ample, input.cluster), size: 1, exact }] }];
};

const withoutResources = ({ resources: _lifted, ...rest }: ClusterLimits): ClusterLimits => rest;

/** The limits of all capacity together, lifted. */
export const fixClusterResources: Fixer = (_site, { input }) => {
  const { limits } = input.policy;
  if (limits === undefined) return beyondRepair;
  const names = Object.keys(limits.resources ?? {}).sort();
  return [
    {
      fixes: [
        {
          kind: 'policyLimit',
          message: `lift the limits of the cluster on ${names.join(', ')} (scaling.limits.resources)`,
          patch: `# outrider.yaml, of the cluster ${input.cluster}: take scaling.limits.resources away`,
          size: liftSize,
          apply: (before) => ({
            ...before,
            policy: { ...before.policy, limits: withoutResources(before.policy.limits ?? {}) },
          }),
        },
      ],
    },
  ];
};
