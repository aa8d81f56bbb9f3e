import { counted } from '#cluster/counted.ts';
import type { CapacityLedger } from '#ports/capacity-ledger.ts';
import type { Clock } from '#ports/clock.ts';
import type { ClusterLeases } from '#ports/cluster-leases.ts';
import { underWay } from '#scaling/under-way.ts';
import { failureOf } from '../failure.ts';
import { type Check, fail, notAsked, ok, spanText, warn } from './check.ts';

export interface MemoryPorts {
  readonly clock: Clock;
  readonly leases: Pick<ClusterLeases, 'read'>;
  readonly ledger: Pick<CapacityLedger, 'read'>;
}

const oldWorkMs = 30 * 60_000;

/** The lease, open intents and back-offs, as Outrider remembers them. */
export const checkMemory = async (
  { clock, leases, ledger }: MemoryPorts,
  cluster: string,
): Promise<readonly Check[]> => {
  const subject = `cluster ${cluster}`;
  const nowMs = clock.nowMs();
  const lease = { check: 'lease', subject };
  const backOff = { check: 'backOff', subject };
  const intents = { check: 'intents', subject };
  try {
    const [state, entries] = await Promise.all([leases.read(cluster), ledger.read(cluster)]);
    const holder = state?.holder;
    const died = holder !== undefined && holder.expiresAtMs <= nowMs;
    const off = entries.filter(({ backOff: one }) => one !== undefined && one.untilMs > nowMs);
    const old = entries
      .flatMap(underWay)
      .flatMap((one) => ('intent' in one && nowMs - one.sinceMs > oldWorkMs ? [one.sinceMs] : []));
    return [
      died
        ? warn(
            lease,
            `${holder.owner} held it until ${spanText(nowMs - holder.expiresAtMs)} ago and died`,
            'nothing: the next look takes it over; see the log for why',
          )
        : ok(lease, holder === undefined ? 'is free' : 'is held by a look'),
      off.length === 0
        ? ok(backOff, 'no group is backed off')
        : warn(
            backOff,
            `${counted(off.length, 'group')} backed off: ${off
              .slice(0, 3)
              .map(({ group, backOff: one }) => `${group} (${one?.code})`)
              .join(', ')}${off.length > 3 ? ', …' : ''}`,
            `outrider status --cluster ${cluster}`,
          ),
      old.length === 0
        ? ok(intents, 'no intent is left open')
        : warn(
            intents,
            `an intent is open for ${spanText(nowMs - Math.min(...old))}`,
            `nothing settles it, so no look gets to its end: outrider scale-up --cluster ${cluster}`,
          ),
    ];
  } catch (thrown) {
    const { code } = failureOf(thrown);
    return code === 'invalid'
      ? [fail(intents, failureOf(thrown).message, 'deploy the version that wrote it')]
      : [notAsked(lease, thrown)];
  }
};
