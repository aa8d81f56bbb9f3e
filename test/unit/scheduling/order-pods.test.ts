import { describe, expect, it } from 'vitest';
import { orderPods } from '#scheduling/order-pods.ts';
import { buildPod } from '../../helpers/cluster-builders.ts';

const names = (pods: readonly { readonly name: string }[]) => pods.map(({ name }) => name);

describe('orderPods', () => {
  it('puts higher priority first, then larger pods, then older ones, then names', () => {
    const small = { cpu: 100 };
    const large = { cpu: 1000 };
    const pods = [
      buildPod('f', { requests: small }),
      buildPod('e', { requests: small }),
      buildPod('d', { requests: small, createdAtMs: 20 }),
      buildPod('c', { requests: small, createdAtMs: 10 }),
      buildPod('b', { requests: large, createdAtMs: 30 }),
      buildPod('a', { requests: small, priority: 5, createdAtMs: 40 }),
      buildPod('z', { requests: large, priority: -1 }),
    ];
    expect(names(orderPods(pods))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'z']);
  });

  it('measures a pod by the resource it takes the largest share of', () => {
    const reference = { cpu: 10_000, memory: 100 };
    const pods = [
      buildPod('cpu', { requests: { cpu: 3000, memory: 1 } }),
      buildPod('memory', { requests: { cpu: 100, memory: 40 } }),
      buildPod('unknown', { requests: { 'example.com/thing': 99 } }),
    ];
    expect(names(orderPods(pods, reference))).toEqual(['memory', 'cpu', 'unknown']);
  });

  it('takes shares of what all the pods ask for, where nothing else is said', () => {
    const pods = [
      buildPod('a', { requests: { cpu: 1000 } }),
      buildPod('b', { requests: { 'nvidia.com/gpu': 1 } }),
      buildPod('c', { requests: { cpu: 3000 } }),
    ];
    expect(names(orderPods(pods))).toEqual(['b', 'c', 'a']);
  });

  it('tells namespaces apart where names are the same', () => {
    const pods = [buildPod('p', { namespace: 'b' }), buildPod('p', { namespace: 'a' })];
    expect(orderPods(pods).map(({ namespace }) => namespace)).toEqual(['a', 'b']);
  });
});
