import type { SchedulingConstraints } from '#cluster/constraints.ts';
import type { NamespaceView, PodView } from '#cluster/snapshot.ts';
import type { FitReason } from '../filters/filter.ts';
import { mentionAffinity } from '../filters/inter-pod-affinity.ts';
import { filterPlugins } from '../filters/plugins.ts';
import { mentionSpread } from '../filters/pod-topology-spread.ts';
import type { NodeTemplate } from '../node.ts';
import { preferenceKey } from '../scores/preference-key.ts';
import { mentionScores, type ScoreQuestion, scoreQuestion } from '../scores/score-question.ts';
import type { Storage } from '../storage/storage.ts';
import { classKey } from './class-key.ts';
import { fitQuestion } from './fit-question.ts';
import { signatureOf } from './signatures.ts';
import { stateTables } from './state-tables.ts';

/** A pod as filters see it: a Pending one, one that runs, or one that a DaemonSet would make. */
export interface StatePod extends SchedulingConstraints {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly priority?: PodView['priority'];
  /** The controller, over whose pods scores spread by default. */
  readonly owner?: PodView['owner'];
  /** Being deleted: spread constraints do not count it. */
  readonly deletedAtMs?: PodView['deletedAtMs'];
  /** It may run on no other node; not where it runs already. */
  readonly requestedNode?: string;
}

/** A node with the pods that run there. */
export interface OccupiedNode {
  readonly template: NodeTemplate;
  readonly pods: readonly StatePod[];
}

/** What filters must know of a cluster beside its nodes and pods. */
export interface StateContext {
  readonly namespaces: readonly NamespaceView[];
  readonly storage: Storage;
}

/**
 * Nodes with the pods on them, as kube-scheduler's snapshot of one moment; nodes are named by their
 * position. Whoever simulates places pods and adds nodes, and takes them back in the reverse order.
 * Counts that affinity and spread ask for are kept by domain as pods come and go, never recounted.
 */
export interface SchedulingState {
  readonly nodeCount: number;
  nodeAt(node: number): NodeTemplate;
  /**
   * Adds an empty node and gives its position. A domain that only it has (its hostname) comes with it.
   * With a name it is one of many from the template: the name is its own, and its hostname label too.
   * Nodes from the very same template object are judged once where names play no part.
   */
  addNode(template: NodeTemplate, name?: string): number;
  /** Takes the newest node away; it must be empty. */
  removeNewestNode(): void;
  /**
   * Puts the pod there whether it fits or not: pods that run on an overcommitted node count too. Its
   * unbound claims go with it, as kube-scheduler assumes; those of pods that ran there from the start are
   * as the snapshot says.
   */
  place(pod: StatePod, node: number): void;
  remove(pod: StatePod, node: number): void;
  podsOn(node: number): readonly StatePod[];
  /** A number that no node had before, and a new one with each pod that comes or goes. */
  versionOf(node: number): number;
  /** What is left of one resource; negative on an overcommitted node. `pods` too. */
  free(node: number, resource: string): number;
  /**
   * Tells what pods will be asked about or placed, so that the ids of questions hold: labels count only
   * as far as some term looks at them, and a term that is new can tell pods apart that were alike before.
   */
  learn(pods: Iterable<StatePod>): void;
  /** Pods that no filter tells apart share one question; it answers for the state as it is when asked. */
  questionOf(pod: StatePod): FitQuestion;
  /**
   * Pods that neither filters nor scores tell apart share one. The ids of both hold once it was asked for
   * each pod that will be placed.
   */
  scoresOf(pod: StatePod): ScoreQuestion;
}

/** Would this pod run there, and why not: kube-scheduler's Filter stage for one class of pods. */
export interface FitQuestion {
  /** Names the class: pods with the same id are answered alike on every node, whatever is placed. */
  readonly id: number;
  /** What keeps the pod from every node, whatever they are: a claim that does not exist, … */
  readonly rejected?: FitReason;
  /** The only names of nodes that may pass. Absent: any. */
  readonly onlyNames?: ReadonlySet<string>;
  /** All filters. */
  passes(node: number): boolean;
  /** Only what never changes while pods come and go: name, cordon, labels, taints, zones of bound volumes. */
  suits(node: number): boolean;
  /**
   * Whether pods that come to other nodes, or leave them, may change the answer for a node. It may become
   * true as pods are learnt or placed, and never becomes false.
   */
  looksElsewhere(): boolean;
  /** How many pods of this class in a row the node would take, one after another, at most `wanted`. */
  countThatFits(node: number, wanted: number): number;
  /** The reasons of the first filter that refuses, in kube-scheduler's order; empty exactly where it fits. */
  explain(node: number): readonly FitReason[];
  /** The reasons of every filter that refuses. */
  explainAll(node: number): readonly FitReason[];
}

/**
 * A state of these nodes, with the pods that run on them. Nothing is indexed before something asks for
 * it, so that a large cluster costs little until then.
 */
export function schedulingState(
  context: StateContext,
  nodes: readonly OccupiedNode[] = [],
): SchedulingState {
  const tables = stateTables(context);
  const { nodes: list, resources, ports, topologies, predicates, groups, owners, storage } = tables;
  const asked = new WeakMap<StatePod, Asked>();
  const byClass = new Map<string, Asked>();
  const scored = new WeakMap<StatePod, Scored>();
  const scoresByClass = new Map<string, ScoreQuestion>();
  let questions = 0;

  const put = (pod: StatePod, node: number): void => {
    list.podsOn(node).push(pod);
    resources.place(pod, node);
    ports.place(pod, node);
    storage.use.place(pod, node);
    owners.place(pod, node);
    groups.place(pod, node);
    tables.preferences.place(pod, node);
    list.touch(node);
  };
  const mention = (pod: StatePod): void => {
    mentionSpread(pod, tables);
    mentionAffinity(pod, tables);
  };
  const add = (template: NodeTemplate, name?: string): number => {
    const node = list.add(template, name);
    resources.nodeAdded(node);
    topologies.nodeAdded(node);
    groups.nodeAdded(node);
    tables.preferences.nodeAdded(node);
    return node;
  };
  const ask = (pod: StatePod): FitQuestion => {
    questions += 1;
    return fitQuestion(questions, pod, { plugins: filterPlugins, tables });
  };
  const questionOfClass = (key: string, pod: StatePod): Asked => {
    const meaning = signatureOf(pod, predicates);
    const name = `${key}|${meaning}`;
    const before = byClass.get(name);
    if (before?.known === predicates.count) return before;
    // A term that was not known then may tell the pod that it was made for apart from this one.
    const holds = before !== undefined && signatureOf(before.pod, predicates) === meaning;
    const now = {
      ...(holds ? before : { pod, key, question: ask(pod) }),
      known: predicates.count,
    };
    byClass.set(name, now);
    return now;
  };

  const questionOf = (pod: StatePod): FitQuestion => {
    const before = asked.get(pod);
    if (before?.known === predicates.count) return before.question;
    owners.prepare();
    if (before === undefined) mention(pod);
    const now = questionOfClass(before?.key ?? classKey(pod), pod);
    asked.set(pod, now);
    return now.question;
  };
  const scoresOf = (pod: StatePod): ScoreQuestion => {
    const before = scored.get(pod);
    if (before?.known === predicates.count) return before.scores;
    if (before === undefined) mentionScores(pod, tables);
    const key = before?.key ?? preferenceKey(pod);
    const name = `${questionOf(pod).id} ${key}`;
    const scores = scoresByClass.get(name) ?? scoreQuestion(scoresByClass.size, pod, tables);
    scoresByClass.set(name, scores);
    scored.set(pod, { key, scores, known: predicates.count });
    return scores;
  };

  for (const { template } of nodes) add(template);
  nodes.forEach(({ pods }, node) => {
    for (const pod of pods) put(pod, node);
  });

  return {
    get nodeCount() {
      return list.count;
    },
    nodeAt: list.at,
    addNode: add,
    removeNewestNode: () => {
      const node = list.count - 1;
      list.checkEmpty(node);
      groups.nodeRemoved(node);
      topologies.nodeRemoved(node);
      list.removeNewest();
    },
    place: (pod, node) => {
      storage.assumed.place(pod, node);
      put(pod, node);
    },
    remove: (pod, node) => {
      list.takePod(pod, node);
      resources.remove(pod, node);
      ports.remove(pod, node);
      storage.use.remove(pod, node);
      storage.assumed.remove(pod, node);
      owners.remove(pod, node);
      groups.remove(pod, node);
      tables.preferences.remove(pod, node);
      list.touch(node);
    },
    podsOn: list.podsOn,
    versionOf: list.versionOf,
    free: (node, resource) => resources.row(resource).free[node] ?? 0,
    learn: (pods) => {
      owners.prepare();
      for (const pod of pods) mention(pod);
    },
    questionOf,
    scoresOf,
  };
}

/** What was answered for a class of pods, and how many predicates were known then. */
interface Asked {
  /** The pod that the question was made for. */
  readonly pod: StatePod;
  readonly key: string;
  readonly question: FitQuestion;
  readonly known: number;
}

interface Scored {
  readonly key: string;
  readonly scores: ScoreQuestion;
  readonly known: number;
}
