import { counted } from '#cluster/counted.ts';
import type { Clock } from '#ports/clock.ts';
import type { ClusterLeases } from '#ports/cluster-leases.ts';
import type { DeploymentHealth } from '#ports/deployment-health.ts';
import { type LastLook, lastLookOf } from '../last-look.ts';
import { asking, type Check, type CheckOf, ok, spanText, warn } from './check.ts';

export interface LookPorts {
  readonly clock: Clock;
  readonly health: Pick<DeploymentHealth, 'metric'>;
  readonly leases: Pick<ClusterLeases, 'read'>;
}

const recentMs = 15 * 60_000;

/**
 * Whether a cluster was looked at lately, and how that went: as CloudWatch counts it; where that knows of no look
 * (metrics come some minutes late), as the cluster's lease testifies.
 */
export const checkLooks = async (
  { clock, health, leases }: LookPorts,
  cluster: string,
): Promise<readonly Check[]> => {
  const about = { check: 'looks', subject: `cluster ${cluster}` };
  const nowMs = clock.nowMs();
  const question = { name: 'LooksFailed', dimensions: { cluster }, sinceMs: nowMs - recentMs };
  return asking(
    about,
    async () => {
      const looks = (await health.metric({ ...question, statistic: 'SampleCount' })) ?? 0;
      if (looks === 0) return { looks, failed: 0, lease: await leases.read(cluster) };
      return { looks, failed: (await health.metric({ ...question, statistic: 'Sum' })) ?? 0 };
    },
    ({ looks, failed, lease }) => {
      if (looks === 0) return testimony(about, lastLookOf(lease, nowMs), nowMs);
      return failed === 0
        ? ok(about, `${counted(looks, 'look')} in the last 15 minutes, none failed`)
        : warn(
            about,
            `${failed} of ${counted(looks, 'look')} of the last 15 minutes failed`,
            "the function's log says which call",
          );
    },
  );
};

const testimony = (about: CheckOf, look: LastLook | undefined, nowMs: number): Check => {
  const unseen = "see the function's log, and whether the schedule that sweeps is enabled";
  if (look === undefined) return warn(about, 'no look is known', unseen);
  const agoMs = nowMs - look.atMs;
  const began = `the last look began ${spanText(agoMs)} ago`;
  if (agoMs > recentMs) return warn(about, began, unseen);
  return look.result === 'failed'
    ? warn(about, `${began} and failed`, "the function's log says which call")
    : ok(about, look.result === 'done' ? `${began} and came to its end` : began);
};
