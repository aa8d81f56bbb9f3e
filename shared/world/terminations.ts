import { podKey } from '#cluster/snapshot.ts';
import type { GroupState, InstanceState, WorldState } from './state.ts';
import { isKept, unitsThere, weightOf } from './state.ts';
import { replacePod } from './workloads.ts';

/** How long an instance is seen as Terminating. */
const terminatingMs = 30_000;

export type TerminationCause = 'scaleIn' | 'crash';

export interface Terminations {
  /** Ends as many unprotected instances as the group has beyond its desired capacity. */
  scaleIn(group: GroupState): void;
  /** Ends one instance, with its Node and the pods on it, which their controllers make anew. */
  end(group: GroupState, instance: InstanceState, cause: TerminationCause): void;
}

/** Auto Scaling's default choice, as far as it shows here: the zone with the most, then the oldest. */
const victimOf = (group: GroupState): InstanceState | undefined => {
  const kept = group.instances.filter(isKept);
  const inZone = (zone: string): number => kept.filter((one) => one.zone === zone).length;
  return kept
    .filter(({ protectedFromScaleIn }) => !protectedFromScaleIn)
    .sort((a, b) => inZone(b.zone) - inZone(a.zone) || a.launchedAtMs - b.launchedAtMs)[0];
};

export const createTerminations = (
  state: WorldState,
  /** Pods wait that did not before. */
  onPodsMade: () => void,
): Terminations => {
  const removeNode = (name: string): void => {
    const lost = [...(state.podsOn.get(name) ?? [])];
    state.nodes.delete(name);
    state.podsOn.delete(name);
    state.removedNodes += 1;
    for (const pod of lost) replacePod(state, pod);
    const pods = lost.filter(({ workload }) => workload !== undefined);
    if (pods.length === 0) return;
    state.tell({ kind: 'podsLost', node: name, pods: pods.map(({ view }) => podKey(view)) });
    onPodsMade();
  };
  const end: Terminations['end'] = (group, instance, cause) => {
    instance.lifecycleState = 'Terminating';
    instance.endedAtMs = state.timeline.nowMs();
    const { id, zone, type, nodeName } = instance;
    state.tell({
      kind: 'instanceEnded',
      group: group.spec.name,
      instance: id,
      zone,
      instanceType: type,
      cause,
    });
    if (nodeName !== undefined) removeNode(nodeName);
    state.timeline.at(instance.endedAtMs + terminatingMs, () => {
      group.instances.splice(group.instances.indexOf(instance), 1);
      group.gone.push(instance);
    });
  };
  return {
    end,
    scaleIn: (group) => {
      for (;;) {
        const victim = victimOf(group);
        if (victim === undefined) return;
        // With weights it never goes below what is desired.
        if (unitsThere(group) - weightOf(group.spec, victim.type) < group.desired) return;
        end(group, victim, 'scaleIn');
      }
    },
  };
};
