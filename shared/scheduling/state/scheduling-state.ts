import type { SchedulingConstraints } from '#cluster/constraints.ts';
import type { NamespaceView, PodView } from '#cluster/snapshot.ts';
import type { FitReason } from '../filters/filter.ts';
import type { NodeTemplate } from '../node.ts';
import type { Storage } from '../storage/storage.ts';

/** A pod as filters see it: a Pending one, one that runs, or one that a DaemonSet would make. */
export interface StatePod extends SchedulingConstraints {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly priority?: PodView['priority'];
  /** Being deleted: spread constraints do not count it. */
  readonly deletedAtMs?: PodView['deletedAtMs'];
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
  /** Adds an empty node and gives its position. A domain that only it has (its hostname) comes with it. */
  addNode(template: NodeTemplate): number;
  /** Takes the newest node away; it must be empty. */
  removeNewestNode(): void;
  /** Puts the pod there whether it fits or not: pods that run on an overcommitted node count too. */
  place(pod: StatePod, node: number): void;
  remove(pod: StatePod, node: number): void;
  podsOn(node: number): readonly StatePod[];
  /** What is left of one resource; negative on an overcommitted node. `pods` too. */
  free(node: number, resource: string): number;
  /** Pods that no filter tells apart share one question; it answers for the state as it is when asked. */
  questionOf(pod: StatePod): FitQuestion;
}

/** Would this pod run there, and why not: kube-scheduler's Filter stage for one class of pods. */
export interface FitQuestion {
  /** Names the class: pods with the same id are answered alike on every node, whatever is placed. */
  readonly id: number;
  /** What keeps the pod from every node, whatever they are: a claim that does not exist, … */
  readonly rejected?: FitReason;
  /** All filters. */
  passes(node: number): boolean;
  /** Only what never changes while pods come and go: name, cordon, labels, taints, zones of bound volumes. */
  suits(node: number): boolean;
  /** How many pods of this class in a row the node would take, one after another, at most `wanted`. */
  countThatFits(node: number, wanted: number): number;
  /** The reasons of the first filter that refuses, in kube-scheduler's order; empty exactly where it fits. */
  explain(node: number): readonly FitReason[];
  /** The reasons of every filter that refuses. */
  explainAll(node: number): readonly FitReason[];
}
