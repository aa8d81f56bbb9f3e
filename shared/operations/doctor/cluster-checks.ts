import { counted } from '#cluster/counted.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type { ApiServerCheck } from '#ports/api-server-check.ts';
import type { CapacityLedger } from '#ports/capacity-ledger.ts';
import type { Clock } from '#ports/clock.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import type { ClusterLeases } from '#ports/cluster-leases.ts';
import type { DeploymentHealth } from '#ports/deployment-health.ts';
import type { NodeGroups } from '#ports/node-groups.ts';
import { expandersOf } from '#scaling/choosing/choosing.ts';
import { otherScalerAtWork } from '#scaling/other-scaler.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import { checkAccess } from './access-checks.ts';
import { asking, type Check, fail, notAsked, ok, warn } from './check.ts';
import { type CheckedGroups, checkGroups, discoveryProblems } from './group-checks.ts';
import { checkLooks } from './look-checks.ts';
import { checkMemory } from './memory-checks.ts';
import { checkQuotas } from './quota-checks.ts';

export interface ClusterPorts {
  readonly clock: Clock;
  readonly health: DeploymentHealth;
  readonly apiServer: ApiServerCheck;
  readonly clusterApi: Pick<ClusterApi, 'snapshot'>;
  readonly nodeGroups: Pick<NodeGroups, 'discover' | 'launches'>;
  /** Names of groups that carry some of the cluster's discovery tags and lack others. */
  readonly partlyTagged: () => Promise<readonly string[]>;
  readonly leases: Pick<ClusterLeases, 'read'>;
  readonly ledger: Pick<CapacityLedger, 'read'>;
}

export interface CheckedCluster {
  readonly name: string;
  readonly apiSecret: string;
  readonly discoveryTags: Readonly<Record<string, string>>;
  readonly relay: boolean;
  readonly policy: ScalingPolicy;
  /** Where the function of its network may raise groups of another account, the role in it. */
  readonly roleArn?: string;
}

/** Everything about one cluster, from its secret to its quotas. */
export const checkCluster = async (
  ports: ClusterPorts,
  cluster: CheckedCluster,
): Promise<readonly Check[]> => {
  const subject = `cluster ${cluster.name}`;
  const looks = await checkLooks(ports, cluster.name);
  const functionsReachIt = looks.some(({ result }) => result === 'ok');
  const readsPriorities = expandersOf(cluster.policy).includes('priority');
  const access = await checkAccess(ports, { ...cluster, functionsReachIt, readsPriorities });
  const [snapshot, groups, memory, heartbeat] = await Promise.all([
    snapshotOf(ports, access),
    groupsOf(ports, cluster),
    checkMemory(ports, cluster.name),
    heartbeatCheck(ports, cluster),
  ]);
  const mode = ok(
    { check: 'mode', subject },
    cluster.policy.mode === 'act' ? 'acts' : 'observes only: it raises nothing',
  );
  const scaler = snapshot === undefined ? [] : [scalerCheck(ports.clock, cluster, snapshot)];
  if ('checks' in groups)
    return [mode, ...looks, ...access, ...scaler, ...groups.checks, ...memory, ...heartbeat];
  const checked: CheckedGroups = {
    cluster: cluster.name,
    policy: cluster.policy,
    discoveryTags: cluster.discoveryTags,
    view: groups.view,
    partlyTagged: groups.partlyTagged,
    snapshot: snapshot ?? { nodes: [], pods: [], daemonSets: [], leases: [] },
    nowMs: ports.clock.nowMs(),
  };
  return [
    mode,
    ...looks,
    ...access,
    ...scaler,
    ...checkGroups(checked),
    ...discoveryProblems(cluster.name, groups.problems),
    ...(await launchRightCheck(ports, checked)),
    ...(await checkQuotas(ports.health, checked)),
    ...memory,
    ...heartbeat,
  ];
};

/** A cluster whose secret or API server was found wanting is not read: that has been said. */
const snapshotOf = async (
  { clusterApi }: ClusterPorts,
  access: readonly Check[],
): Promise<ClusterSnapshot | undefined> => {
  const reachable = access.some(({ check, result }) => check === 'apiServer' && result === 'ok');
  if (!reachable) return undefined;
  try {
    return (await clusterApi.snapshot()).snapshot;
  } catch {
    // The rights say why.
    return undefined;
  }
};

const scalerCheck = (clock: Clock, cluster: CheckedCluster, { leases }: ClusterSnapshot): Check => {
  const about = { check: 'otherScaler', subject: `cluster ${cluster.name}` };
  const other = otherScalerAtWork(leases, clock.nowMs());
  if (other === undefined) return ok(about, 'no other scaler is at work');
  const [said = '', ...rest] = other.split(': ');
  const remedy = rest.join(': ');
  return cluster.policy.mode === 'act' ? fail(about, said, remedy) : warn(about, said, remedy);
};

const groupsOf = async (
  { nodeGroups, partlyTagged }: ClusterPorts,
  { name, roleArn }: CheckedCluster,
) => {
  const about = { check: 'groups', subject: `cluster ${name}` };
  try {
    const { view, problems } = await nodeGroups.discover();
    return { view, problems, partlyTagged: await partlyTagged() };
  } catch (thrown) {
    const asked = notAsked(about, thrown);
    const remedy = `${asked.remedy}; the role ${roleArn} may trust the functions alone`;
    return { checks: [roleArn === undefined ? asked : { ...asked, remedy }] };
  }
};

/** A right that is needed only when a launch has failed is missed when it is too late. */
const launchRightCheck = (
  { nodeGroups }: ClusterPorts,
  { cluster, view }: CheckedGroups,
): Promise<readonly Check[]> => {
  const [group] = view.groups;
  if (group === undefined) return Promise.resolve([]);
  const about = { check: 'launches', subject: `cluster ${cluster}` };
  return asking(
    about,
    () => nodeGroups.launches(group.name),
    () => ok(about, 'scaling activities can be read'),
  );
};

const heartbeatMs = 10 * 60_000;

const heartbeatCheck = (
  { clock, health }: ClusterPorts,
  { name, relay }: CheckedCluster,
): Promise<readonly Check[]> => {
  if (!relay) return Promise.resolve([]);
  const about = { check: 'relay', subject: `cluster ${name}` };
  return asking(
    about,
    () =>
      health.metric({
        name: 'RelayHeartbeats',
        dimensions: { cluster: name },
        statistic: 'Sum',
        sinceMs: clock.nowMs() - heartbeatMs,
      }),
    (beats) =>
      beats !== undefined && beats > 0
        ? ok(about, `${counted(beats, 'heartbeat')} in the last ten minutes`)
        : warn(
            about,
            'no heartbeat of its relay in the last ten minutes: pods wait for the sweep',
            'see the relay in the cluster: kubectl -n outrider get pods',
          ),
  );
};
