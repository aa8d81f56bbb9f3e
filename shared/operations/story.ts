import type { DecisionRecord } from '#ports/journal.ts';
import type { Reason, StuckPod } from '#scaling/decision.ts';
import type { Happening } from '#world/happening.ts';

export type StoryKind =
  | 'created'
  | 'pending'
  | 'decision'
  | 'stuck'
  | 'ignored'
  | 'blocked'
  | 'failure'
  | 'asked'
  | 'launch'
  | 'launchFailed'
  | 'registered'
  | 'missing'
  | 'ready'
  | 'bound'
  | 'running'
  | 'finished'
  | 'told'
  | 'end';

/** One thing that happened, for people: what, and why where that is known. */
export interface StoryEvent {
  /** Milliseconds from the start of the scenario. */
  readonly atMs: number;
  readonly kind: StoryKind;
  readonly what: string;
  readonly why: readonly string[];
}

export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `a, b and 3 more`: never more than two names, so that a burst stays one line. */
export const named = (names: readonly string[]): string => {
  const [first = 'none', second] = names;
  if (second === undefined) return first;
  if (names.length === 2) return `${first} and ${second}`;
  return `${first}, ${second} and ${names.length - 2} more`;
};

const seconds = (ms: number): string =>
  ms < 10_000 ? (ms / 1000).toFixed(1) : `${Math.round(ms / 1000)}`;

const between = (values: readonly number[]): string => {
  const low = seconds(Math.min(...values));
  const high = seconds(Math.max(...values));
  return low === high ? `${low} s` : `${low} to ${high} s`;
};

const places = (
  facts: readonly { readonly instanceType: string; readonly zone: string }[],
): string =>
  [...new Set(facts.map(({ instanceType, zone }) => `${instanceType} in ${zone}`))].join(', ');

/** Happenings of one sort as one line. The first decides the sort; all of them have it. */
const summarise = <Kind extends Happening['kind']>(
  kind: Kind,
  happenings: readonly Happening[],
): readonly Extract<Happening, { readonly kind: Kind }>[] =>
  happenings.filter(
    (happening): happening is Extract<Happening, { readonly kind: Kind }> =>
      happening.kind === kind,
  );

type Line = Omit<StoryEvent, 'atMs'>;

const lineOf = (kind: Happening['kind'], all: readonly Happening[]): Line => {
  const line = (storyKind: StoryKind, what: string, ...why: readonly string[]): Line => ({
    kind: storyKind,
    what,
    why,
  });
  switch (kind) {
    case 'podsCreated': {
      const made = summarise(kind, all);
      const pods = made.flatMap((one) => one.pods);
      return line('created', `${counted(pods.length, 'pod')} of ${made[0]?.workload} created`);
    }
    case 'podsUnschedulable': {
      const pods = summarise(kind, all).flatMap((one) => one.pods);
      return line('pending', `${counted(pods.length, 'pod')} fit no node: ${named(pods)}`);
    }
    case 'podBound': {
      const bound = summarise(kind, all);
      const nodes = [...new Set(bound.map(({ node }) => node))];
      return line('bound', `${counted(bound.length, 'pod')} bound to ${named(nodes)}`);
    }
    case 'podRunning': {
      const running = summarise(kind, all);
      const after = between(running.map(({ afterMs }) => afterMs));
      const pods = running.map(({ pod }) => pod);
      return line('running', `${named(pods)} Running, ${after} after creation`);
    }
    case 'podFinished': {
      const pods = summarise(kind, all).map(({ pod }) => pod);
      return line('finished', `${counted(pods.length, 'pod')} finished: ${named(pods)}`);
    }
    case 'desiredChanged': {
      const [change] = summarise(kind, all);
      return line('asked', `${change?.group}: desired capacity ${change?.from} -> ${change?.to}`);
    }
    case 'instanceLaunched': {
      const launched = summarise(kind, all);
      const what = `${launched[0]?.group}: ${counted(launched.length, 'instance')} launched`;
      return line('launch', `${what} (${places(launched)})`);
    }
    case 'launchFailed': {
      const failed = summarise(kind, all);
      const count = failed.reduce((sum, one) => sum + one.count, 0);
      const [first] = failed;
      return line(
        'launchFailed',
        `${first?.group}: ${counted(count, 'launch')} failed`.replace('launchs', 'launches'),
        `${first?.code}: EC2 has none of this type in ${first?.zones.join(', ')} now`,
      );
    }
    case 'nodeRegistered': {
      const nodes = summarise(kind, all);
      return line(
        'registered',
        `${nodes[0]?.group}: ${named(nodes.map(({ node }) => node))} registered`,
      );
    }
    case 'nodeReady': {
      const nodes = summarise(kind, all);
      const after = between(nodes.map(({ afterMs }) => afterMs));
      const what =
        nodes.length === 1 ? named(nodes.map(({ node }) => node)) : counted(nodes.length, 'node');
      return line('ready', `${nodes[0]?.group}: ${what} Ready, ${after} after launch`);
    }
    case 'nodeMissing': {
      const missing = summarise(kind, all);
      return line(
        'missing',
        `${missing[0]?.group}: ${named(missing.map(({ instance }) => instance))} runs, but no Node came`,
      );
    }
    case 'podTold': {
      const told = summarise(kind, all);
      return line('told', `Event ${told[0]?.reason} on ${counted(told.length, 'pod')}`);
    }
  }
};

/** What keeps happenings apart, beside their kind. */
const subjectOf = (happening: Happening): string => {
  switch (happening.kind) {
    case 'podsCreated':
      return happening.workload;
    case 'podTold':
      return happening.reason;
    case 'desiredChanged':
      return `${happening.group} ${happening.to}`;
    case 'instanceLaunched':
    case 'launchFailed':
    case 'nodeRegistered':
    case 'nodeReady':
    case 'nodeMissing':
      return happening.group;
    case 'podsUnschedulable':
    case 'podBound':
    case 'podRunning':
    case 'podFinished':
      return '';
  }
};

/** Tells happenings that lie close together, one line for each sort, at the time of its first. */
export const tellHappenings = (
  happenings: readonly Happening[],
  startMs: number,
): readonly StoryEvent[] => {
  const sorts = Map.groupBy(happenings, (one) => `${one.kind} ${subjectOf(one)}`);
  return [...sorts.values()].flatMap((sort) => {
    const [first] = sort;
    return first === undefined ? [] : [{ atMs: first.atMs - startMs, ...lineOf(first.kind, sort) }];
  });
};

const reasonText = ({ group, node, message }: Reason): string => {
  const place = group ?? node;
  return place === undefined ? message : `${place}: ${message}`;
};

/** Pods that are stuck for the same reasons are told together. */
const tellStuck = (stuck: readonly StuckPod[], atMs: number): readonly StoryEvent[] =>
  [...Map.groupBy(stuck, ({ reasons }) => JSON.stringify(reasons)).values()].map((alike) => ({
    atMs,
    kind: 'stuck',
    what: `no group can host ${named(alike.map(({ pod }) => pod))}`,
    why: alike[0]?.reasons.map(reasonText) ?? [],
  }));

/** Tells a decision that differs from the one before, with its reasons as journalled. */
export const tellDecision = (record: DecisionRecord, startMs: number): readonly StoryEvent[] => {
  const atMs = record.atMs - startMs;
  const { decision } = record;
  const verb = record.mode === 'act' ? 'raise' : 'would raise';
  const raises = decision.scaleUps.map((scaleUp): StoryEvent => {
    const { group, from, to, pods, reason } = scaleUp;
    return {
      atMs,
      kind: 'decision',
      what: `${verb} ${group} from ${from} to ${to} for ${counted(pods.length, 'pod')}`,
      why: [reason],
    };
  });
  const ignored = Map.groupBy(decision.ignored, ({ message }) => message);
  return [
    ...raises,
    ...tellStuck(decision.stuck, atMs),
    ...[...ignored].map(
      ([message, pods]): StoryEvent => ({
        atMs,
        kind: 'ignored',
        what: `${named(pods.map(({ pod }) => pod))} left out`,
        why: [message],
      }),
    ),
  ];
};
