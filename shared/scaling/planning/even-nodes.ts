import type { Choice } from '../choosing/expander.ts';
import type { GroupState } from '../group-state.ts';
import type { AddingQuestion } from './add-nodes.ts';
import { expansionOption } from './expansion-option.ts';
import { withoutOthers } from './node-kind.ts';
import type { Demand } from './pod-class.ts';

const hostname = 'kubernetes.io/hostname';

export interface EvenNodes {
  /** One node of each domain in turn. */
  readonly nodes: readonly GroupState[];
  readonly choice: Choice;
}

/**
 * Nodes for pods that spread over domains with groups of their own: an even share in each, by the group that the
 * expanders choose there. One group after the other would get one pod's node at a time, each waiting for the others.
 * `undefined` where the pods do not spread over groups.
 */
export const evenNodes = (
  { podClass, pods }: Demand,
  added: ReadonlyMap<string, number>,
  { groups, world, choosing, trials }: AddingQuestion,
): EvenNodes | undefined => {
  const { sample } = podClass;
  const key = sample.topologySpread?.find(
    ({ whenUnsatisfiable, topologyKey }) =>
      whenUnsatisfiable === 'DoNotSchedule' && topologyKey !== hostname,
  )?.topologyKey;
  if (key === undefined) return undefined;
  const own = groups.filter(
    (group) => choosing.limits.roomFor(group, added) > 0 && group.takes(sample),
  );
  const byDomain = new Map<string, GroupState[]>();
  for (const group of own) {
    const [domain, ...others] = new Set(
      group.probed.map(({ template }) => template.node.labels[key]),
    );
    // In a group of several domains AWS sees to the balance.
    if (domain === undefined || others.length > 0) return undefined;
    byDomain.set(domain, [...(byDomain.get(domain) ?? []), group]);
  }
  if (byDomain.size < 2) return undefined;
  // As if they could all be there: how many nodes hold them, and which group is best for them.
  const question = world.state.questionOf(withoutOthers(sample));
  const alone: Demand = { podClass: { ...podClass, question, mayChange: false }, pods };
  const shares = [...byDomain.values()].flatMap((inDomain) => {
    const options = inDomain.flatMap(
      (group) =>
        expansionOption(group, [alone], {
          world,
          limit: choosing.limits.roomFor(group, added),
          trials,
        }) ?? [],
    );
    const choice = choosing.choose(options);
    const group = inDomain.find((one) => one.group.name === choice?.option.group);
    if (choice === undefined || group === undefined) return [];
    return [{ group, choice, nodes: Math.ceil(choice.option.nodes / byDomain.size) }];
  });
  const [first] = shares;
  if (first === undefined || shares.length < 2) return undefined;
  const most = Math.max(...shares.map(({ nodes }) => nodes));
  const nodes = Array.from({ length: most }, (_, turn) =>
    shares.filter((share) => turn < share.nodes).map(({ group }) => group),
  ).flat();
  return { nodes, choice: first.choice };
};
