import { kindsOfPods } from '#scheduling/packing/kinds-of-pods.ts';
import { packNewNodes } from '#scheduling/packing/pack-new-nodes.ts';
import type { NodeOffer, PackingAnswer, PodKind } from '#scheduling/packing/question.ts';
import {
  type OccupiedNode,
  type StatePod,
  schedulingState,
} from '#scheduling/state/scheduling-state.ts';
import { faultsOf } from '../check-packing.ts';

/** How many splits of two nodes a second of such a machine tries; measured, and a little less. */
export const trialsPerSecond = 3_000_000;

/** Of a decision that nobody gave another. */
export const defaultBudgetSeconds = 0.05;

export interface PackingCase {
  readonly pods: readonly StatePod[];
  readonly offers: readonly NodeOffer[];
  readonly existing: readonly OccupiedNode[];
}

export interface Packed {
  readonly kinds: readonly PodKind[];
  readonly answer: PackingAnswer;
}

/** The work that is measured: from pods as they are read to a plan. */
export function packPods({ pods, offers, existing }: PackingCase, trials: number): Packed {
  const state = schedulingState({ namespaces: [], storage: {} }, existing);
  const kinds = kindsOfPods(pods, state);
  return { kinds, answer: packNewNodes({ kinds, offers, state, trials }) };
}

export const trialsOf = (budgetSeconds: number | undefined): number =>
  Math.round((budgetSeconds ?? defaultBudgetSeconds) * trialsPerSecond);

/** Throws where the plan could not be bound as it stands. */
export function prove({ offers, existing }: PackingCase, { kinds, answer }: Packed): void {
  const faults = faultsOf({ kinds, offers, existing, answer });
  if (faults.length > 0) throw new Error(`an illegal plan: ${faults.slice(0, 3).join('; ')}`);
}

export const placedOf = ({ answer }: Packed): number =>
  answer.bindings.reduce((sum, { count }) => sum + count, 0);
