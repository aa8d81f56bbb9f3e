/**
 * What is left of the work that one decision may do: a count, so that the same input always ends at the
 * same place. One is a glance at the room of one node for one class of pods.
 */
export interface Trials {
  left: number;
}

export const unlimitedTrials = (): Trials => ({ left: Number.POSITIVE_INFINITY });

/** What judging a node by every filter costs, in glances; measured. */
export const trialsOfFilters = 20;

/** Does a step within a part of what is left; what it does not use stays. */
export const withShare = <Result>(
  trials: Trials,
  parts: number,
  step: (within: Trials) => Result,
): Result => {
  const share = Math.max(Math.floor(trials.left / parts), 0);
  const within: Trials = { left: share };
  const result = step(within);
  if (Number.isFinite(share)) trials.left -= share - within.left;
  return result;
};
