import type { GroupOwner } from './group-owners.ts';

/** Hints on Outrider's own bus, which routes them to the queue of the cluster's network. */
export interface Hints {
  /** A launch of the cluster's group did not succeed. */
  launchFailed(failure: LaunchFailure): Promise<void>;
}

export interface LaunchFailure extends GroupOwner {
  readonly group: string;
}
