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
  readonly intent?: RaiseIntent;
  /**
   * Since when nodes are asked for that AWS has not launched: the first look that missed some, or the
   * last launch seen since. Absent while none is missing or the Launch process is suspended.
   */
  readonly missingSinceMs?: number;
  /** By instance id; kept while the instance counts in the group. */
  readonly instances: Readonly<Record<string, InstanceObservation>>;
}

export interface RaiseIntent {
  /** `cluster/group/generation`. */
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly atMs: number;
  readonly decision: string;
}

export interface InstanceObservation {
  readonly firstSeenMs: number;
  /** When its Node was first seen usable: Ready, no startup taint, promised resources there. */
  readonly usableAtMs?: number;
}
