import type { PodView } from '#cluster/snapshot.ts';
import type { NodeTemplate } from '#scheduling/node.ts';
import type { Choosing } from '../choosing/choosing.ts';
import type { GroupState } from '../group-state.ts';

export interface DomainsQuestion {
  readonly pods: readonly PodView[];
  readonly groups: readonly GroupState[];
  readonly choosing: Choosing;
}

const hostname = 'kubernetes.io/hostname';

/**
 * Nodes without room that stand for the zones (and other domains, but hosts) that groups could have nodes in. To the
 * scheduler a zone without a node is no domain, so that pods which spread over zones might all be planned in the first
 * one. Only what the pods could really have is held against them: a template whose domain is counted for a pod that
 * no group takes there stands for nothing.
 */
export const domainsToCome = (question: DomainsQuestion): readonly NodeTemplate[] => {
  const spreading = question.pods.filter((pod) => spreadKeys(pod).length > 0);
  if (spreading.length === 0) return [];
  const { groups, choosing } = question;
  const growing = groups.filter((group) => choosing.limits.roomFor(group, new Map()) > 0);
  const known = new Set<string>();
  const templates = growing
    .flatMap(({ probed }) => probed.map(({ template }) => withoutRoom(template.node)))
    .filter((template) => {
      const text = JSON.stringify([template.labels, template.taints]);
      const isNew = !known.has(text);
      known.add(text);
      return isNew;
    });
  let left = templates;
  for (const pod of spreading) {
    const own = growing.filter((group) => group.takes(pod));
    for (const key of spreadKeys(pod)) {
      const offered = new Set(
        own.flatMap(({ probed }) => probed.map(({ template }) => template.node.labels[key])),
      );
      left = left.filter(({ labels }) => offered.has(labels[key]));
    }
  }
  return left;
};

const spreadKeys = ({ topologySpread = [] }: PodView): readonly string[] =>
  topologySpread
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
    .map(({ topologyKey }) => topologyKey)
    .filter((key) => key !== hostname);

const withoutRoom = ({ labels, taints }: NodeTemplate): NodeTemplate => {
  const { [hostname]: _host, ...others } = labels;
  return { name: 'zone-to-come', labels: others, taints, unschedulable: false, allocatable: {} };
};
