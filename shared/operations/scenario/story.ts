import { counted } from '#cluster/counted.ts';
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
  | 'ended'
  | 'ready'
  | 'running'
  | 'finished'
  | 'told'
  | 'paged'
  | 'end';

/** One thing that happened, for people: what, and why where that is known. */
export interface StoryEvent {
  /** Milliseconds from the start of the scenario. */
  readonly atMs: number;
  readonly kind: StoryKind;
  readonly what: string;
  readonly why: readonly string[];
}

/** `a, b and 3 more`: never more than two names, so that a burst stays one line. */
export const named = (names: readonly string[]): string => {
  const [first = 'none', second] = names;
  if (second === undefined) return first;
  if (names.length === 2) return `${first} and ${second}`;
  return `${first}, ${second} and ${names.length - 2} more`;
};

/** The name of one, the number of several. */
const nameOrNumber = (names: readonly string[], noun: string): string =>
  names.length === 1 ? named(names) : counted(names.length, noun);

const seconds = (ms: number): string =>
  ms < 10_000 ? (ms / 1000).toFixed(1) : `${Math.round(ms / 1000)}`;

const between = (values: readonly number[]): string => {
  const low = seconds(Math.min(...values));
  const high = seconds(Math.max(...values));
  return low === high ? `${low} s` : `${low} to ${high} s`;
};

const nodesOf = (all: readonly { readonly node: string }[]): string =>
  nameOrNumber(
    all.map(({ node }) => node),
    'node',
  );

type Kind = Happening['kind'];
type OfKind<K extends Kind> = Extract<Happening, { readonly kind: K }>;
type Line = Omit<StoryEvent, 'atMs'>;

/** How a run of happenings of one kind and subject is told. The list is never empty. */
type Tellers = { readonly [K in Kind]?: (all: readonly OfKind<K>[], first: OfKind<K>) => Line };

const tellers: Tellers = {
  podsCreated: (all, { workload }) => {
    const count = all.reduce((sum, { pods }) => sum + pods.length, 0);
    return { kind: 'created', what: `${counted(count, 'pod')} of ${workload} created`, why: [] };
  },
  podsUnschedulable: (all) => {
    const pods = all.flatMap((one) => one.pods);
    const fit = pods.length === 1 ? 'fits' : 'fit';
    return {
      kind: 'pending',
      what: `${counted(pods.length, 'pod')} ${fit} no node: ${named(pods)}`,
      why: [],
    };
  },
  podRunning: (all, { workload }) => {
    const after = between(all.map(({ afterMs }) => afterMs));
    const what =
      all.length === 1 ? named(all.map(({ pod }) => pod)) : `${all.length} pods of ${workload}`;
    return { kind: 'running', what: `${what} Running, ${after} after creation`, why: [] };
  },
  podFinished: (all, { workload }) => ({
    kind: 'finished',
    what: `${counted(all.length, 'pod')} of ${workload} finished`,
    why: [],
  }),
  desiredChanged: (_all, { group, from, to }) => ({
    kind: 'asked',
    what: `${group}: desired capacity ${from} -> ${to}`,
    why: [],
  }),
  instanceLaunched: (all, { group }) => {
    const places = new Set(all.map(({ instanceType, zone }) => `${instanceType} in ${zone}`));
    const what = `${group}: ${counted(all.length, 'instance')} launched`;
    return { kind: 'launch', what: `${what} (${[...places].join(', ')})`, why: [] };
  },
  launchFailed: (all, first) => {
    const count = all.reduce((sum, one) => sum + one.count, 0);
    const where = `${first.instanceTypes.join(' or ')} in ${first.zones.join(' or ')}`;
    const wait = seconds((all.at(-1) ?? first).retryAtMs - first.atMs);
    return {
      kind: 'launchFailed',
      what: `${first.group}: ${counted(count, 'launch', 'launches')} failed`,
      why: [`${first.code}: no ${where} now; Auto Scaling tries again in ${wait} s`],
    };
  },
  nodeRegistered: (all, { group }) => ({
    kind: 'registered',
    what: `${group}: ${nodesOf(all)} registered`,
    why: [],
  }),
  nodeReady: (all, { group }) => {
    const after = between(all.map(({ afterMs }) => afterMs));
    return {
      kind: 'ready',
      what: `${group}: ${nodesOf(all)} Ready, ${after} after launch`,
      why: [],
    };
  },
  nodeMissing: (all, { group }) => ({
    kind: 'missing',
    what: `${group}: ${nameOrNumber(
      all.map(({ instance }) => instance),
      'instance',
    )} up without becoming a Node`,
    why: [],
  }),
  nodeNotReady: (all, { group }) => ({
    kind: 'missing',
    what: `${group}: ${nodesOf(all)} registered without becoming Ready`,
    why: [],
  }),
  devicesMissing: (all, { group, resources }) => ({
    kind: 'missing',
    what: `${group}: ${nodesOf(all)} Ready without ${resources.join(', ')}`,
    why: [],
  }),
  devicesAppeared: (all, { group, resources }) => ({
    kind: 'ready',
    what: `${group}: ${nodesOf(all)} offering ${resources.join(', ')}`,
    why: [],
  }),
  instanceEnded: (all, { group, cause }) => ({
    kind: 'ended',
    what: `${group}: ${nameOrNumber(
      all.map(({ instance }) => instance),
      'instance',
    )} ${cause === 'crash' ? 'shut down by itself' : 'terminated by scale-in'}`,
    why: [],
  }),
  podsLost: (all) => ({
    kind: 'ended',
    what: `${counted(
      all.reduce((sum, { pods }) => sum + pods.length, 0),
      'pod',
    )} lost with ${nodesOf(all)}`,
    why: [],
  }),
  podTold: (all, { reason }) => ({
    kind: 'told',
    what: `Event ${reason} on ${counted(all.length, 'pod')}`,
    why: [],
  }),
};

/** What keeps happenings of one kind apart; those of no subject are told all together. */
const subjectOf = (happening: Happening): string => {
  if (happening.kind === 'desiredChanged') return `${happening.group} ${happening.to}`;
  if ('workload' in happening) return happening.workload;
  if ('group' in happening) return happening.group;
  return happening.kind === 'podTold' ? happening.reason : '';
};

const lineOf = <K extends Kind>(kind: K, all: readonly OfKind<K>[]): Line | undefined => {
  const [first] = all;
  return first === undefined ? undefined : tellers[kind]?.(all, first);
};

/**
 * Tells happenings that lie close together: one line for each kind and subject, at the time of its
 * first. That a pod was bound is not told, since that it runs is.
 */
export const tellHappenings = (
  happenings: readonly Happening[],
  startMs: number,
): readonly StoryEvent[] => {
  const sorts = Map.groupBy(happenings, (one) => `${one.kind} ${subjectOf(one)}`);
  return [...sorts.values()].flatMap((sort) => {
    const [first] = sort;
    if (first === undefined) return [];
    const line = lineOf(first.kind, sort as readonly OfKind<typeof first.kind>[]);
    return line === undefined ? [] : [{ atMs: first.atMs - startMs, ...line }];
  });
};
