import { withRoom } from '../state/growing.ts';
import type { NodeList } from '../state/node-list.ts';
import type { StatePod } from '../state/scheduling-state.ts';
import type { StateTables } from '../state/state-tables.ts';
import type { PassedNodes, ScorePart } from './score-plugin.ts';
import { scorePlugins } from './score-plugins.ts';

/** How good nodes are for one class of pods: kube-scheduler's Score stage. */
export interface ScoreQuestion {
  /** Names the class: pods with the same id are scored alike, whatever is placed. */
  readonly id: number;
  /**
   * Writes the sum of all plugins' weighted scores for each node that passed, in their order. Scores
   * compare with one another only: what is the same for all nodes may be left out.
   */
  score(passed: PassedNodes, into: Float64Array): void;
}

interface Weighed {
  readonly weight: number;
  readonly part: ScorePart;
  readonly raw: (node: number) => number;
}

/** Remembers raw scores of what never changes, by kind of node. */
function rememberedByKind(nodes: NodeList, { raw, byName }: ScorePart): (node: number) => number {
  const indexOf = byName ? nodes.identityOf : nodes.kindOf;
  /** One more than the score, so that 0 is unknown. */
  let known = new Float64Array(0);
  return (node) => {
    const index = indexOf(node);
    const before = known[index] ?? 0;
    if (before > 0) return before - 1;
    const score = raw(node);
    known = withRoom(known, index + 1);
    known[index] = score + 1;
    return score;
  };
}

/** Remembers raw scores until a pod comes to the node or leaves it. */
function rememberedByVersion(nodes: NodeList, { raw }: ScorePart): (node: number) => number {
  let versions = new Float64Array(0);
  let known = new Float64Array(0);
  return (node) => {
    const version = nodes.versionOf(node);
    if (versions[node] === version) return known[node] ?? 0;
    versions = withRoom(versions, node + 1);
    known = withRoom(known, node + 1);
    const score = raw(node);
    versions[node] = version;
    known[node] = score;
    return score;
  };
}

function rawOf(nodes: NodeList, part: ScorePart): (node: number) => number {
  switch (part.changesWith) {
    case 'nothing':
      return rememberedByKind(nodes, part);
    case 'podsOnNode':
      return rememberedByVersion(nodes, part);
    case 'anyPod':
      return part.raw;
  }
}

/** Joins what each plugin says to one class of pods. */
export function scoreQuestion(id: number, pod: StatePod, tables: StateTables): ScoreQuestion {
  const weighed: readonly Weighed[] = scorePlugins.flatMap(({ weight, ask }) => {
    const part = ask(pod, tables);
    return part === undefined ? [] : [{ weight, part, raw: rawOf(tables.nodes, part) }];
  });
  let raws = new Float64Array(0);
  return {
    id,
    score: (passed, into) => {
      const { list, count } = passed;
      into.fill(0, 0, count);
      raws = withRoom(raws, count);
      for (const { weight, part, raw } of weighed) {
        if (part.isLevel?.()) continue;
        part.prepare?.(passed);
        for (let at = 0; at < count; at += 1) raws[at] = raw(list[at] ?? -1);
        part.normalise?.(raws, passed);
        for (let at = 0; at < count; at += 1) into[at] = (into[at] ?? 0) + weight * (raws[at] ?? 0);
      }
    },
  };
}

/** Makes known the terms that the pod and those placed would be scored by. */
export function mentionScores(pod: StatePod, tables: StateTables): void {
  for (const { mention } of scorePlugins) mention?.(pod, tables);
}
