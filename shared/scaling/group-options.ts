import type { Problem } from '#cluster/problem.ts';
import { isQuantityError, parseQuantity } from '#cluster/quantity.ts';

/**
 * What a group's tags say of how it is scaled, in place of what holds for the cluster; absent where no tag says it.
 * Names are those of Cluster Autoscaler's NodeGroupAutoscalingOptions, which are lower case in tags.
 */
export interface GroupOptions {
  /** A node whose use is above it is no candidate for scale-down. */
  readonly scaleDownUtilizationPerMille?: number;
  /** The same of GPU nodes, by their GPUs. */
  readonly scaleDownGpuUtilizationPerMille?: number;
  readonly scaleDownUnneededSeconds?: number;
  readonly scaleDownUnreadySeconds?: number;
  readonly ignoreDaemonSetsUtilization?: boolean;
  /** From the launch to a registered Node. */
  readonly maxNodeProvisionSeconds?: number;
  /** From the registered Node to a usable one. */
  readonly maxNodeStartupSeconds?: number;
}

/** Of one option: how its value reads, and what to write. */
interface Option<Key extends keyof GroupOptions> {
  readonly key: Key;
  readonly read: (text: string) => GroupOptions[Key];
  readonly example: string;
}

/** `10m`, `1h30m`, `5m0s` as Go writes durations; whole seconds, at most a year. */
const durationSeconds = (text: string): number | undefined => {
  const match = /^(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,8})s)?$/.exec(text);
  if (match === null || text === '') return undefined;
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  const sum = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sum <= 366 * 86_400 ? sum : undefined;
};

/** A share from 0 to 1, rounded down to a thousandth. */
const perMille = (text: string): number | undefined => {
  const share = /^[0-9.]+$/.test(text) ? parseQuantity(text) : undefined;
  if (share === undefined || isQuantityError(share) || share.nano > 1_000_000_000n)
    return undefined;
  return Number(share.nano / 1_000_000n);
};

const flag = (text: string): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined;

const duration = <Key extends keyof GroupOptions>(key: Key, example: string) => ({
  key,
  read: durationSeconds,
  example,
});
const share = <Key extends keyof GroupOptions>(key: Key) => ({
  key,
  read: perMille,
  example: '0.5',
});

/** The examples are the defaults of Cluster Autoscaler. */
const options = new Map<string, Option<keyof GroupOptions>>([
  ['scaledownutilizationthreshold', share('scaleDownUtilizationPerMille')],
  ['scaledowngpuutilizationthreshold', share('scaleDownGpuUtilizationPerMille')],
  ['scaledownunneededtime', duration('scaleDownUnneededSeconds', '10m0s')],
  ['scaledownunreadytime', duration('scaleDownUnreadySeconds', '20m0s')],
  [
    'ignoredaemonsetsutilization',
    { key: 'ignoreDaemonSetsUtilization', read: flag, example: 'false' },
  ],
  ['maxnodeprovisiontime', duration('maxNodeProvisionSeconds', '15m0s')],
  ['maxnodestartuptime', duration('maxNodeStartupSeconds', '15m0s')],
]);

/** Where a tag stands, for problems. */
export interface OptionTag {
  readonly group: string;
  readonly tag: string;
  readonly name: string;
  readonly value: string;
}

/**
 * Reads one tag `autoscaling-options/<name>`. An option that is not known, or whose value says nothing, is a
 * problem and leaves what holds for the cluster: it says nothing of what a node is like.
 */
export const readGroupOption = ({
  group,
  tag,
  name,
  value,
}: OptionTag): { readonly option: GroupOptions } | { readonly problem: Problem } => {
  const field = `AutoScalingGroups[${group}].Tags[${tag}]`;
  const known = options.get(name.toLowerCase());
  if (known === undefined) {
    const names = [...options.keys()].join(', ');
    const message = `tag ${tag} of group ${group} names no option that is known: write one of ${names}`;
    return { problem: { field, code: 'unknownOptionTag', message } };
  }
  const read = known.read(value);
  if (read !== undefined) return { option: { [known.key]: read } };
  const message = `tag ${tag} of group ${group} is ${JSON.stringify(value)}, and is left out; write for example ${known.example}`;
  return { problem: { field, code: 'malformedOptionTag', message } };
};

/** The start limit that the options give: both parts where both are given; absent where none is. */
export const startLimitOfOptions = ({
  maxNodeProvisionSeconds: launch,
  maxNodeStartupSeconds: start,
}: GroupOptions): number | undefined =>
  launch === undefined && start === undefined ? undefined : (launch ?? 0) + (start ?? 0);
