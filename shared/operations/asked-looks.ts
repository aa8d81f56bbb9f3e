import type { WakeupReason } from '#ports/wakeups.ts';
import type { ScaleUpOutcome, ScaleUpRequest } from './scale-up.ts';

/** A message that asks for a look at one cluster: a hint from outside, or one that Outrider sent itself. */
export type AskedLook =
  | { readonly kind: 'hint'; readonly cluster: string; readonly trigger: HintTrigger }
  | {
      readonly kind: 'look';
      readonly cluster: string;
      readonly because: WakeupReason;
      readonly step: number;
    };

export type HintTrigger = 'pod-pending' | 'node-signal' | 'launch-failed';

export interface ClusterLook {
  readonly cluster: string;
  readonly look: Pick<ScaleUpRequest, 'trigger' | 'wakeup'>;
}

/** One look per cluster, however many messages ask for it: for the one among them that asks for most. */
export const looksFor = (asked: readonly AskedLook[]): readonly ClusterLook[] => {
  const looks = new Map<string, AskedLook>();
  for (const each of asked) {
    const before = looks.get(each.cluster);
    if (before === undefined || rank(each) > rank(before)) looks.set(each.cluster, each);
  }
  return [...looks.values()].map((each) => ({
    cluster: each.cluster,
    look:
      each.kind === 'hint'
        ? { trigger: each.trigger }
        : { trigger: each.because, wakeup: { because: each.because, step: each.step } },
  }));
};

/** A hint has the whole look taken; a sweep may find it quiet; a mark may have been taken care of. */
const rank = (asked: AskedLook): number => {
  if (asked.kind === 'hint') return 1_000;
  switch (asked.because) {
    case 'unfinished':
      // The longest chain of steps goes on, so that it ends.
      return 100 + asked.step;
    case 'sweep':
      return 1;
    case 'marked':
      return 0;
  }
};

/** What a message is told of its cluster. `notBegun`: there was no time left to look. */
export type Finding = { readonly status: 'done' | 'retry' | 'notBegun' } | Refusal;

/** What looking again does not change. */
export interface Refusal {
  readonly status: 'permanent';
  readonly code: string;
  readonly message: string;
}

/** What a look came to, for the messages that asked for it. */
export const findingOf = ({
  cluster,
  status,
  error,
}: Pick<ScaleUpOutcome, 'cluster' | 'status' | 'error'>): Finding => {
  switch (status) {
    case 'done':
    case 'marked':
      // Whoever holds the lease looks again before giving it back.
      return { status: 'done' };
    case 'held':
      return { status: 'retry' };
    case 'failed':
      // Without a reason nobody knows that it is permanent.
      if (error === undefined || error.retryable) return { status: 'retry' };
      return { status: 'permanent', code: error.code, message: `${cluster}: ${error.message}` };
  }
};

/** A sender names a cluster that this network does not have. */
export const unknownCluster = (cluster: string): Refusal => ({
  status: 'permanent',
  code: 'unknownCluster',
  message: `detail.cluster: ${cluster} is not a cluster of this network; add it to outrider.yaml and deploy, or stop its relay`,
});

/**
 * What becomes of a message that asked for a look: it is done with, comes again, or is a dead letter. One that
 * Outrider sent itself is no dead letter for what a cluster refuses: that would be one a minute. The log and
 * the cluster's alarm tell of it, and the next sweep tries again.
 */
export const fateOf = (asked: AskedLook, finding: Finding): 'done' | 'again' | Refusal => {
  switch (finding.status) {
    case 'done':
      return 'done';
    case 'notBegun':
      return 'again';
    case 'retry':
      // The next sweep is less than a minute away, and takes all clusters alike.
      return asked.kind === 'look' && asked.because === 'sweep' ? 'done' : 'again';
    case 'permanent':
      return asked.kind === 'look' ? 'done' : finding;
  }
};
