import { setTimeout as sleep } from 'node:timers/promises';
import type { EmulatedGroup, EmulatedInstance, EmulatorControl } from './emulator-control.ts';
import { conditions, defaultKubeletSettings, type KubeletSettings, nodeOf } from './fleet-node.ts';
import { tendPods } from './fleet-pods.ts';
import { type KubeClient, KubeError } from './kube-client.ts';

/*
 * Kubelets, as far as a control plane can tell: an instance of a group boots, registers a Node, becomes
 * Ready, renews its Lease, runs the pods bound to it; once its instance is terminated it falls silent.
 */

export interface FleetOptions {
  readonly kube: KubeClient;
  readonly control: EmulatorControl;
  /** Whose instances join this cluster. Default: every group's. */
  readonly groups?: (group: EmulatedGroup) => boolean;
  /** Which of them ever register. Default: all. */
  readonly joins?: (instance: EmulatedInstance, group: EmulatedGroup) => boolean;
  /** From launch to a registered Node, and from there to Ready. Defaults: 500 and 300. */
  readonly bootMs?: number;
  readonly readyMs?: number;
  /** Deletes Nodes whose instance is gone, as a cloud provider's controller does. Default: true. */
  readonly deleteNodes?: boolean;
  readonly kubelet?: Partial<KubeletSettings>;
  readonly pollMs?: number;
  /** Told what went wrong in a round; the next round tries again. */
  readonly onProblem: (problem: string) => void;
}

export interface Fleet {
  stop(): Promise<void>;
}

interface Member {
  readonly group: EmulatedGroup;
  readonly instance: EmulatedInstance;
  readonly firstSeenMs: number;
  registeredMs?: number;
  ready: boolean;
  leaseRenewedMs: number;
}

const leasePeriodMs = 10_000;
const leaseNamespace = 'kube-node-lease';

/** Starts the fleet; it works until it is stopped. */
export const startFleet = (options: FleetOptions): Fleet => {
  const members = new Map<string, Member>();
  const settings = { ...defaultKubeletSettings, ...options.kubelet };
  const stopping = new AbortController();

  const round = async (): Promise<void> => {
    const running = new Set<string>();
    for (const group of await options.control.groups()) {
      if (options.groups?.(group) === false) continue;
      for (const instance of group.instances) {
        if (instance.state !== 'running') continue;
        running.add(instance.id);
        if (members.has(instance.id) || options.joins?.(instance, group) === false) continue;
        members.set(instance.id, {
          group,
          instance,
          firstSeenMs: Date.now(),
          ready: false,
          leaseRenewedMs: 0,
        });
      }
    }
    const work = [...members].map(([id, member]) =>
      running.has(id) ? advance(member, options, settings) : retire(members, id, options),
    );
    const nodes = [...members.values()].filter(({ ready }) => ready);
    work.push(
      tendPods(
        options.kube,
        new Map(nodes.map(({ instance }) => [instance.privateDnsName, instance.privateIp])),
      ),
    );
    for (const result of await Promise.allSettled(work)) {
      if (result.status === 'rejected') options.onProblem(String(result.reason));
    }
  };

  const living = (async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await round().catch((error: unknown) => options.onProblem(String(error)));
      await sleep(options.pollMs ?? 100, undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await living;
    },
  };
};

const advance = async (
  member: Member,
  options: FleetOptions,
  settings: KubeletSettings,
): Promise<void> => {
  const { kube } = options;
  const now = Date.now();
  const name = member.instance.privateDnsName;
  if (member.registeredMs === undefined) {
    if (now - member.firstSeenMs < (options.bootMs ?? 500)) return;
    await unlessThere(
      kube.create('/api/v1/nodes', nodeOf(member.group, member.instance, settings)),
    );
    member.registeredMs = now;
  }
  if (!member.ready && now - member.registeredMs >= (options.readyMs ?? 300)) {
    await reportReady(kube, name);
    member.ready = true;
  }
  if (now - member.leaseRenewedMs >= leasePeriodMs) {
    await renewLease(kube, name, member.leaseRenewedMs === 0);
    if (member.ready) await reportReady(kube, name);
    member.leaseRenewedMs = now;
  }
};

const reportReady = async (kube: KubeClient, name: string): Promise<void> => {
  const change = { status: { conditions: conditions(true, new Date()) } };
  await kube.patch(`/api/v1/nodes/${name}/status`, 'strategic-merge', change);
};

const renewLease = async (kube: KubeClient, name: string, first: boolean): Promise<void> => {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${leaseNamespace}/leases`;
  const spec = {
    holderIdentity: name,
    leaseDurationSeconds: 40,
    renewTime: new Date().toISOString().replace('Z', '000Z'),
  };
  if (!first) {
    await kube.patch(`${path}/${name}`, 'merge', { spec });
    return;
  }
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec };
  await unlessThere(kube.create(path, lease));
};

const retire = async (
  members: Map<string, Member>,
  id: string,
  options: FleetOptions,
): Promise<void> => {
  const member = members.get(id);
  if (member?.registeredMs !== undefined && options.deleteNodes !== false) {
    const path = `/api/v1/nodes/${member.instance.privateDnsName}`;
    await options.kube.remove(path).catch((error: unknown) => {
      if (!(error instanceof KubeError) || error.status !== 404) throw error;
    });
  }
  members.delete(id);
};

/** Creating what is there already is success: the round before may have been cut off. */
const unlessThere = async (creation: Promise<unknown>): Promise<void> => {
  await creation.catch((error: unknown) => {
    if (!(error instanceof KubeError) || error.reason !== 'AlreadyExists') throw error;
  });
};
