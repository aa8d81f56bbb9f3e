import type { ScaleUpPorts } from '#operations/scale-up.ts';
import type { DecisionRecord } from '#ports/journal.ts';
import type { Page } from '#ports/pages.ts';
import type { PortCall } from '../../helpers/faulty-ports.ts';
import type { State } from '../stage.ts';

/** An Event on a pod. */
export interface PodWord {
  readonly pod: string;
  readonly type: string;
  readonly reason: string;
}

interface Seen {
  readonly cluster: string;
  readonly ports: ScaleUpPorts;
  podWords(): Promise<readonly PodWord[]>;
  plain(text: string): string;
}

/**
 * What must be the same however the looks before ended. Left out is what may differ: times, generations, and
 * which of two words of the same kind a pod heard (`WaitsForNode` where the look that raised died before it told).
 */
export const stateOf = async (seen: Seen, effects: readonly PortCall[]): Promise<State> => {
  const { cluster, ports, plain } = seen;
  const [{ view }, ledger, lease, summaries, head, words] = await Promise.all([
    ports.nodeGroups.discover(),
    ports.ledger.read(cluster),
    ports.leases.read(cluster),
    ports.journal.list(cluster, 100),
    ports.journal.head(cluster),
    seen.podWords(),
  ]);
  const changes = changesOf(effects);
  const records = await Promise.all(summaries.map(({ id }) => ports.journal.read(id)));
  const decided = new Set(
    records
      .flatMap(({ decision }) => [...decision.scaleUps, ...decision.takeBacks])
      .map(({ group, to }) => `${group} ${to}`),
  );
  const pages = effects
    .filter(({ name }) => name === 'pages.send')
    .map(({ args }) => args[0] as Page);
  return {
    groups: view.groups.map(({ name, desired, instances }) => ({
      group: plain(name),
      desired,
      instances: instances.length,
    })),
    // One for each time that desired capacity changed: a second raise would be a second number.
    changes: changes.map(({ group, sizes }) => ({ group: plain(group), sizes })),
    undecided: changes.flatMap(({ group, sizes }) =>
      sizes
        .filter((size) => !decided.has(`${group} ${size}`))
        .map((size) => plain(`${group} ${size}`)),
    ),
    ledger: ledger.map((entry) => ({
      group: plain(entry.group),
      to: entry.to,
      instances: Object.keys(entry.instances).length,
      backOff:
        entry.backOff === undefined ? undefined : [entry.backOff.code, entry.backOff.failures],
      launches: Object.values(entry.launchesFor ?? {}).toSorted(),
    })),
    openIntents: ledger.flatMap(({ intent, group }) =>
      intent === undefined ? [] : [plain(group)],
    ),
    lease: lease?.holder === undefined ? 'free' : 'held',
    marks: lease?.marks ?? 0,
    said: plain(summaries[0]?.said ?? ''),
    head: [head?.quiet ?? false, summaries[0]?.id.endsWith(`/${head?.generation}`)],
    told: [...new Set(words.map(({ pod, type }) => `${pod} ${type}`))].toSorted(),
    untold: untoldIn(records[0], words).map(plain),
    // A doubled word is one Event; more than two are a pod that is told again and again.
    pestered: [...countBy(words, ({ pod }) => pod)].filter(([, count]) => count > 2),
    // One for each id: a page that comes twice under one id is one, under two it wakes somebody twice.
    paged: [...new Map(pages.map((page) => [page.id, page])).values()]
      .map(({ kind, subject }) => plain(`${kind} ${subject}`))
      .toSorted(),
    looks: effects.filter(({ name }) => name === 'clusterApi.snapshot').length,
  };
};

interface GroupChanges {
  readonly group: string;
  readonly sizes: readonly number[];
}

/** The sizes that each group was set to, in order, but for those that it had already. */
const changesOf = (effects: readonly PortCall[]): readonly GroupChanges[] => {
  const sizes = new Map<string, number[]>();
  for (const { name, args } of effects) {
    if (name !== 'nodeGroups.setDesiredCapacity') continue;
    const [group, size] = args as [string, number];
    const before = sizes.get(group) ?? [];
    if (before.at(-1) !== size) sizes.set(group, [...before, size]);
  }
  return [...sizes].toSorted().map(([group, each]) => ({ group, sizes: each }));
};

/** Pods that wait after the last decision and have heard nothing, or nothing of being stuck. */
const untoldIn = (
  last: DecisionRecord | undefined,
  words: readonly PodWord[],
): readonly string[] => {
  const stuck = new Set(last?.decision.stuck.map(({ pod }) => pod));
  const waiting = [...stuck, ...(last?.decision.fits ?? []).map(({ pod }) => pod)];
  return waiting.filter((key) => {
    const heard = words.filter(({ pod }) => key.endsWith(`/${pod}`));
    return stuck.has(key) ? heard.every(({ type }) => type !== 'Warning') : heard.length === 0;
  });
};

const countBy = <T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
};
