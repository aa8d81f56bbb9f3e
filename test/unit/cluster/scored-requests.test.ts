import { describe, expect, it } from 'vitest';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import type { PodView } from '#cluster/snapshot.ts';

type Amounts = Readonly<Record<string, string>>;

const MiB = 2 ** 20;
const asking = (requests: Amounts) => ({ resources: { requests } });
const both = asking({ cpu: '1', memory: '1Gi' });

function read(spec: object): PodView {
  const metadata = { name: 'web-1', namespace: 'shop', uid: 'u1' };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata, spec };
  const { snapshot, problems } = readClusterObjects([{ object }]);
  expect(problems).toEqual([]);
  const [pod] = snapshot.pods;
  if (!pod) throw new Error('no pod was read');
  return pod;
}

describe('what a pod counts for where nodes are scored', () => {
  it('is what it asks for where every container asks for CPU and memory', () => {
    expect(read({ containers: [both, both] }).scoredRequests).toBeUndefined();
  });

  it('is left to the amounts for one container where that is all there is to it', () => {
    expect(read({ containers: [{}] }).scoredRequests).toBeUndefined();
    expect(read({ containers: [asking({ cpu: '1' })] }).scoredRequests).toBeUndefined();
  });

  it('counts each container that lacks one of both with 100 milli-CPU or 200 MiB', () => {
    const pod = read({ containers: [both, {}, asking({ cpu: '50m' })] });
    expect(pod.requests).toEqual({ cpu: 1050, memory: 1024 * MiB });
    expect(pod.scoredRequests).toEqual({ cpu: 1150, memory: 1424 * MiB });
  });

  it('takes a request of nothing as a request, and a limit as one', () => {
    const nothing = asking({ cpu: '0', memory: '0' });
    const limited = { resources: { limits: { cpu: '2' } } };
    expect(read({ containers: [nothing] }).scoredRequests).toBeUndefined();
    expect(read({ containers: [nothing, limited, {}] }).scoredRequests).toEqual({
      cpu: 2100,
      memory: 400 * MiB,
    });
  });

  it('counts sidecars beside the containers, and init containers where they ask for more', () => {
    const sidecar = { restartPolicy: 'Always' };
    expect(read({ containers: [both], initContainers: [sidecar] }).scoredRequests).toEqual({
      cpu: 1100,
      memory: 1224 * MiB,
    });
    expect(read({ containers: [both], initContainers: [{}] }).scoredRequests).toBeUndefined();
    const large = asking({ cpu: '3' });
    expect(read({ containers: [{}, {}], initContainers: [large] }).scoredRequests).toEqual({
      cpu: 3000,
      memory: 400 * MiB,
    });
  });

  it('is what the pod as a whole asks for, and its overhead', () => {
    const resources = { requests: { cpu: '2' } };
    const overhead = { memory: '50Mi' };
    expect(read({ containers: [{}, {}], resources, overhead }).scoredRequests).toEqual({
      cpu: 2000,
      memory: 450 * MiB,
    });
    const limits = { cpu: '4', memory: '4Gi' };
    expect(read({ containers: [{}, {}], resources: { limits } }).scoredRequests).toBeUndefined();
  });
});
