import { clusterLists } from '#adapters/kubernetes/cluster-lists.ts';
import { memoryCapacityLedger } from '#adapters/memory/memory-capacity-ledger.ts';
import { memoryClusterApi } from '#adapters/memory/memory-cluster-api.ts';
import { memoryClusterLeases } from '#adapters/memory/memory-cluster-leases.ts';
import { memoryJournal } from '#adapters/memory/memory-journal.ts';
import { memoryPages } from '#adapters/memory/memory-pages.ts';
import type { ScaleUpPorts } from '#operations/scale-up.ts';
import type { World } from '#world/world.ts';
import type { ApiMeter } from './api-meter.ts';
import type { Api } from './api-quotas.ts';

/** Calls of one operation of a port, as its real adapter makes them; each list fits one page. */
const callsOf: Readonly<Record<string, readonly Api[]>> = {
  'leases.acquire': ['dynamodb:UpdateItem'],
  'leases.mark': ['dynamodb:UpdateItem'],
  'leases.release': ['dynamodb:UpdateItem'],
  'leases.abandon': ['dynamodb:UpdateItem'],
  'ledger.read': ['dynamodb:Query'],
  'ledger.write': ['dynamodb:TransactWriteItems'],
  'ledger.remove': ['dynamodb:TransactWriteItems'],
  'journal.head': ['dynamodb:GetItem'],
  'journal.record': ['s3:PutObject', 'dynamodb:TransactWriteItems'],
  'journal.writeHead': ['dynamodb:TransactWriteItems'],
  'clusterApi.snapshot': clusterLists.map(() => 'kubernetes:list'),
  'clusterApi.postPodEvent': ['kubernetes:createEvent'],
  'pages.send': ['sns:Publish'],
};

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** The same port, with the calls of its real adapter metered. */
const metered = <P extends object>(meter: ApiMeter, name: string, port: P): P =>
  Object.fromEntries(
    Object.entries(port).map(([method, run]) => {
      const apis = callsOf[`${name}.${method}`];
      if (apis === undefined) return [method, run];
      const counted: Call = async (...args) => {
        for (const api of apis) meter.call('main', api);
        return (run as Call)(...args);
      };
      return [method, counted];
    }),
  ) as P;

export type ClusterPorts = Pick<
  ScaleUpPorts,
  'leases' | 'ledger' | 'journal' | 'clusterApi' | 'pages'
>;

/** What outlives a process of one cluster: its API server, and what Outrider keeps of it. */
export const clusterPorts = (world: World, meter: ApiMeter): ClusterPorts => {
  const leases = memoryClusterLeases();
  return {
    leases: metered(meter, 'leases', leases),
    ledger: metered(meter, 'ledger', memoryCapacityLedger(leases)),
    journal: metered(meter, 'journal', memoryJournal(leases)),
    clusterApi: metered(meter, 'clusterApi', memoryClusterApi(world)),
    pages: metered(meter, 'pages', memoryPages()),
  };
};
