import { describe, expect, it } from 'vitest';
import { kindsThatMatter } from '#cluster/kinds-that-matter.ts';
import type { ClusterSnapshot, PodView } from '#cluster/snapshot.ts';
import type { ClaimView } from '#cluster/storage-views.ts';
import { buildPod } from '../../helpers/cluster-builders.ts';

const kinds = (pods: readonly PodView[], more: Partial<ClusterSnapshot> = {}) =>
  kindsThatMatter({ nodes: [], pods, daemonSets: [], leases: [], ...more });

const withClaim = (over: Partial<PodView> = {}): PodView =>
  buildPod('db-0', { volumes: [{ kind: 'claim', claim: 'data', ephemeral: false }], ...over });

const claim = (over: Partial<ClaimView> = {}): ClaimView => ({
  namespace: 'default',
  name: 'data',
  uid: 'u',
  bindCompleted: false,
  accessModes: ['ReadWriteOnce'],
  volumeMode: 'Filesystem',
  requestedBytes: 1,
  phase: 'Pending',
  ...over,
});

const selecting = (matchLabels: Readonly<Record<string, string>>): PodView => {
  const namespaceSelector = { matchLabels, matchExpressions: [] };
  const term = { topologyKey: 'zone', namespaces: [], namespaceSelector };
  return buildPod('web', { podAntiAffinity: { required: [term], preferred: [] } });
};

describe('kindsThatMatter', () => {
  it('are none where no pod waits for storage or selects namespaces', () => {
    expect(kinds([buildPod('web')])).toEqual([]);
    expect(kinds([withClaim({ nodeName: 'n1', phase: 'Running' })])).toEqual([]);
    expect(kinds([withClaim({ phase: 'Failed' })])).toEqual([]);
    expect(kinds([selecting({})])).toEqual([]);
  });

  it('are namespaces where a pod selects them by label', () => {
    expect(kinds([selecting({ team: 'a' })])).toEqual(['namespaces']);
  });

  it('are claims where a waiting pod has one', () => {
    expect(kinds([withClaim()])).toEqual(['claims']);
  });

  it('are volumes of bound claims, classes and drivers of unbound ones', () => {
    expect(kinds([withClaim()], { claims: [claim({ volumeName: 'pv' })] })).toEqual([
      'claims',
      'volumes',
      'csiNodes',
    ]);
    const claims = [claim({ storageClass: 'gp3' })];
    const unbound = ['claims', 'storageClasses', 'csiNodes', 'csiDrivers'];
    expect(kinds([withClaim()], { claims })).toEqual(unbound);
    const csiDrivers = [{ name: 'd', tracksCapacity: true, attachRequired: true }];
    expect(kinds([withClaim()], { claims, csiDrivers })).toEqual([...unbound, 'csiCapacities']);
  });
});
