import type { Resources } from '#cluster/resources.ts';

/**
 * What Outrider remembers of one group between two looks. It only adds expectation: the group's own
 * desired capacity is the truth that it is compared with.
 */
export interface LedgerEntry {
  readonly group: string;
  /** Counts the intents of this group; with cluster and group it names one. */
  readonly generation: number;
  /** The last desired capacity that Outrider asked for, until the group itself is seen to say it. */
  readonly to?: number;
  /** When SetDesiredCapacity to `to` was confirmed; `to` is forgotten a read lag later. */
  readonly toAtMs?: number;
  /** Set from the moment before SetDesiredCapacity until it is known to have been done or voided. */
  readonly intent?: CapacityIntent;
  /**
   * Since when nodes are asked for that AWS has not launched: the first look that missed some, or the
   * last launch seen since, or the end of a back-off. Absent while none is missing or the Launch process
   * is suspended.
   */
  readonly missingSinceMs?: number;
  /** By instance id; kept while the instance counts in the group. */
  readonly instances: Readonly<Record<string, InstanceObservation>>;
  /**
   * Instances that were starting and that a description no longer shows, by id: till they are seen again, or
   * so long that no old description can be why.
   */
  readonly gone?: Readonly<Record<string, GoneInstance>>;
  /** Set from the first failed launch until `backOff.resetSeconds` have passed without another. */
  readonly backOff?: BackOff;
  /** When an instance was launched whose coming up ended a back-off: failures before it are done with. */
  readonly provenMs?: number;
  /**
   * How often this group was raised for a pod, by UID: launches that brought it no binding, since the pod
   * still waits. Pods that are gone or bound are dropped, and all of them once a launch fails: a node that
   * never came proves nothing of the pod. While one is open no other is counted for its pod.
   */
  readonly launchesFor?: Readonly<Record<string, number>>;
  /** When the last launch for a pod was begun, by UID; only while no instance first seen since has come up. */
  readonly openLaunches?: Readonly<Record<string, number>>;
  /**
   * By instance type: what a usable node had, for the time when there is none. Only amounts; labels and taints of one
   * node may be passing.
   */
  readonly learned?: Readonly<Record<string, RememberedAmounts>>;
}

/** What a machine comes up from. */
export interface Boot {
  readonly image: string;
  /** A hash of the user data, which configures the kubelet; absent where there is none. */
  readonly userData?: string;
}

/** Amounts of a node that came up so. */
export interface RememberedAmounts extends Boot {
  readonly capacity: Resources;
  readonly allocatable: Resources;
  /** Name of the node. */
  readonly from: string;
}

/** A group whose launches failed: it is not raised, and what AWS owes it does not count as coming. */
export interface BackOff {
  /** Failures of which each came after the back-off of the one before had ended; decides how long. */
  readonly failures: number;
  /** The first of them. Absent in records older than it: `atMs`. */
  readonly sinceMs?: number;
  /** The failure that began it. */
  readonly atMs: number;
  /** The look that noted it: only an instance first seen later proves that the cause has gone. Absent: `atMs`. */
  readonly notedMs?: number;
  readonly untilMs: number;
  /** `InsufficientInstanceCapacity`, `launchesMissing`, `neverRegistered`, `neverReady`, `endedWhileStarting`, … */
  readonly code: string;
  readonly message: string;
}

/** A change of desired capacity that was begun: a raise where `to` is above `from`, else a taking back. */
export interface CapacityIntent {
  /** `cluster/group/generation`. */
  readonly id: string;
  readonly from: number;
  readonly to: number;
  /** UIDs of the pods that a raise is for. */
  readonly pods?: readonly string[];
  readonly atMs: number;
  readonly decision: string;
}

export interface InstanceObservation {
  readonly firstSeenMs: number;
  /** When its Node was first seen usable: Ready, no startup taint, promised resources there. */
  readonly usableAtMs?: number;
  /** When its start limit was seen to have passed without that; kept when it comes up late after all. */
  readonly failedAtMs?: number;
  /** Of one that AWS launched although its group was backed off: the failure after which nobody counted on it. */
  readonly givenUpAtMs?: number;
}

export interface GoneInstance extends InstanceObservation {
  /** The first look that missed it. */
  readonly goneSinceMs: number;
}

/** When the newest instance that has come up was first seen; minus infinity where none has. */
export const newestComeUp = ({ instances }: Pick<LedgerEntry, 'instances'>): number =>
  Object.values(instances).reduce(
    (newest, { firstSeenMs, usableAtMs }) =>
      usableAtMs === undefined ? newest : Math.max(newest, firstSeenMs),
    Number.NEGATIVE_INFINITY,
  );
