import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveRequests, type Quantities } from '#cluster/pod-requests.ts';

const nanoPerMilli = 1_000_000n;
const milliCpu = fc.integer({ min: 0, max: 500 });
const cpu = (milli: number): Quantities =>
  new Map([['cpu', { nano: BigInt(milli) * nanoPerMilli }]]);
const none: Quantities = new Map();

/** What runs at each moment of a pod's life, told one moment after the other. */
function largestMoment(
  containers: readonly number[],
  initContainers: readonly { readonly milli: number; readonly restartable: boolean }[],
): number {
  const running: number[] = [];
  let largest = 0;
  const look = (beside = 0): void => {
    largest = Math.max(
      largest,
      running.reduce((sum, one) => sum + one, beside),
    );
  };
  for (const { milli, restartable } of initContainers) {
    if (restartable) running.push(milli);
    look(restartable ? 0 : milli);
  }
  running.push(...containers);
  look();
  return largest;
}

describe('effectiveRequests', () => {
  it('is what the pod needs at its largest moment, plus overhead', () => {
    const initContainer = fc.record({ milli: milliCpu, restartable: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(milliCpu, { minLength: 1, maxLength: 4 }),
        fc.array(initContainer, { maxLength: 5 }),
        milliCpu,
        (containers, initContainers, overhead) => {
          const requests = effectiveRequests({
            containers: containers.map((milli) => ({ requests: cpu(milli) })),
            initContainers: initContainers.map(({ milli, restartable }) => ({
              requests: cpu(milli),
              restartable,
            })),
            podLevel: { requests: none, limits: none },
            overhead: cpu(overhead),
          });
          expect(requests).toEqual({ cpu: largestMoment(containers, initContainers) + overhead });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('of a pod on a node is the largest of what it asks, was allocated and runs, sum by sum', () => {
    const container = fc.record({
      requests: milliCpu,
      allocated: fc.option(milliCpu, { nil: undefined }),
      running: fc.option(milliCpu, { nil: undefined }),
    });
    const sum = (amounts: readonly number[]): number => amounts.reduce((a, b) => a + b, 0);
    fc.assert(
      fc.property(
        fc.array(container, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (containers, infeasible) => {
          const requests = effectiveRequests({
            containers: containers.map(({ requests, allocated, running }) => ({
              requests: cpu(requests),
              ...(allocated !== undefined && { allocated: cpu(allocated) }),
              ...(running !== undefined && { running: cpu(running) }),
            })),
            initContainers: [],
            podLevel: { requests: none, limits: none },
            overhead: none,
            status: { infeasible },
          });
          const asked = (one: { requests: number }): number => (infeasible ? 0 : one.requests);
          const largest = Math.max(
            sum(containers.map(asked)),
            sum(containers.map((one) => one.allocated ?? asked(one))),
            sum(containers.map((one) => one.running ?? one.allocated ?? asked(one))),
          );
          expect(requests.cpu ?? 0).toBe(largest);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
