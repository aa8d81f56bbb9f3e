import type { Problem } from '#cluster/problem.ts';
import type { ScaleUpDecision, ScaleUpInput } from '#scaling/decision.ts';
import type { Mode } from '#scaling/policy.ts';
import type { Lease } from './cluster-leases.ts';

/** The decisions that were taken, why, and all that they were made from. */
export interface Journal {
  /** What was said last of this cluster; `undefined` at the first look. */
  head(cluster: string): Promise<JournalHead | undefined>;
  /** Keeps record and input, then moves the head. Refused (`conflict`) under an outdated lease. */
  record(lease: Lease, record: DecisionRecord, head: JournalHead): Promise<void>;
  /** Moves the head alone. */
  writeHead(lease: Lease, head: JournalHead): Promise<void>;
  /** Newest first. */
  list(cluster: string, limit: number): Promise<readonly DecisionSummary[]>;
  /** Throws `notFound` for an unknown id. */
  read(id: string): Promise<DecisionRecord>;
}

export interface JournalHead {
  /** Counts the decisions of this cluster; the next record takes `generation + 1`. */
  readonly generation: number;
  /** Digest of the last decision recorded: another record is written only when it changes. */
  readonly digest: string;
  /** What each pod was last told, by UID. */
  readonly told: Readonly<Record<string, { readonly digest: string; readonly atMs: number }>>;
  /** The pod, by UID, up to which the last look came with telling; the next one goes on from there. */
  readonly toldUpTo?: string;
  /** Alerts that were paged and still hold, by `kind/subject`: when. */
  readonly paged?: Readonly<Record<string, number>>;
  /** The last decision found nothing to do and nothing on its way. */
  readonly quiet?: true;
}

export interface DecisionSummary {
  /** `cluster/scale-up/generation`. */
  readonly id: string;
  readonly cluster: string;
  readonly atMs: number;
  readonly mode: Mode;
  readonly engineVersion: string;
  /** Why the look was taken: `pod-pending`, `sweep`, … */
  readonly trigger: string;
  /** One line for people. */
  readonly said: string;
}

export interface DecisionRecord extends DecisionSummary {
  readonly input: ScaleUpInput;
  readonly decision: ScaleUpDecision;
  /** What could not be read and was left out of `input`. */
  readonly problems: readonly Problem[];
}
