import { describe, expect, it } from 'vitest';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';

const read = (given: { metadata?: object; spec?: object; status?: object }) =>
  readClusterObjects([
    {
      object: {
        apiVersion: 'v1',
        kind: 'Node',
        ...given,
        metadata: { name: 'n', ...given.metadata },
      },
    },
  ]);

describe('a node as kubectl prints it', () => {
  it('gives every field of the view', () => {
    const { snapshot, problems } = read({
      metadata: {
        uid: 'u',
        labels: { zone: 'a' },
        annotations: { 'cluster-autoscaler.kubernetes.io/scale-down-disabled': 'true', other: 'x' },
        creationTimestamp: '2026-08-21T10:00:00Z',
      },
      spec: {
        providerID: 'aws:///us-east-1a/i-0123',
        unschedulable: true,
        taints: [
          { key: 'a', value: 'b', effect: 'NoSchedule' },
          { key: 'c', effect: 'NoExecute', timeAdded: '2026-08-21T10:00:00Z' },
        ],
      },
      status: {
        capacity: { cpu: '4', memory: '16Gi', pods: '58' },
        allocatable: { cpu: '3920m', memory: '15Gi', pods: '58' },
        addresses: [
          { type: 'Hostname', address: 'h' },
          { type: 'InternalIP', address: '10.0.0.1' },
          { type: 'InternalDNS', address: 'ip-10-0-0-1.internal' },
        ],
        conditions: [
          { type: 'MemoryPressure', status: 'False' },
          { type: 'Ready', status: 'True' },
        ],
      },
    });
    expect(problems).toEqual([]);
    expect(snapshot.nodes).toEqual([
      {
        name: 'n',
        uid: 'u',
        labels: { zone: 'a' },
        annotations: { 'cluster-autoscaler.kubernetes.io/scale-down-disabled': 'true' },
        createdAtMs: Date.UTC(2026, 7, 21, 10),
        providerId: 'aws:///us-east-1a/i-0123',
        internalIp: '10.0.0.1',
        internalDns: 'ip-10-0-0-1.internal',
        unschedulable: true,
        taints: [
          { key: 'a', value: 'b', effect: 'NoSchedule' },
          { key: 'c', value: '', effect: 'NoExecute' },
        ],
        capacity: { cpu: 4000, memory: 16 * 2 ** 30, pods: 58 },
        allocatable: { cpu: 3920, memory: 15 * 2 ** 30, pods: 58 },
        ready: 'True',
      },
    ]);
  });

  it('takes capacity for allocatable until the kubelet says, and readiness as unknown', () => {
    const { snapshot } = read({ status: { capacity: { cpu: '2' } } });
    expect(snapshot.nodes[0]?.allocatable).toEqual({ cpu: 2000 });
    expect(snapshot.nodes[0]?.ready).toBe('Unknown');
    expect(snapshot.nodes[0]).not.toHaveProperty('providerId');
  });

  it.each([
    [
      { spec: { taints: [{ key: 'a', effect: 'NoRun' }] } },
      'spec.taints[0].effect',
      'valueUnknown',
    ],
    [{ spec: { taints: [{ key: 'a' }] } }, 'spec.taints[0].effect', 'valueMissing'],
    [{ spec: { unschedulable: 'yes' } }, 'spec.unschedulable', 'booleanExpected'],
    [{ status: { allocatable: { cpu: '-1' } } }, 'status.allocatable.cpu', 'quantityNegative'],
    [{ metadata: { creationTimestamp: 'yesterday' } }, 'metadata.creationTimestamp', 'timeInvalid'],
  ])('is left out for %j', (given, field, code) => {
    const { snapshot, problems } = read(given);
    expect(snapshot.nodes).toEqual([]);
    expect(problems.map((one) => [one.field, one.code])).toEqual([[`nodes[n].${field}`, code]]);
  });

  it('tells which features its kubelet declares', () => {
    const declaredFeatures = ['RestartAllContainersOnContainerExits'];
    const { snapshot } = read({ status: { declaredFeatures } });
    expect(snapshot.nodes[0]?.declaredFeatures).toEqual(declaredFeatures);
    expect(read({}).snapshot.nodes[0]).not.toHaveProperty('declaredFeatures');
  });
});
