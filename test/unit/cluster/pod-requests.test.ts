import { describe, expect, it } from 'vitest';
import { effectiveRequests, type PodRequestParts, type Quantities } from '#cluster/pod-requests.ts';
import { isQuantityError, parseQuantity } from '#cluster/quantity.ts';

const amounts = (given: Readonly<Record<string, string>>): Quantities =>
  new Map(
    Object.entries(given).map(([name, text]) => {
      const quantity = parseQuantity(text);
      if (isQuantityError(quantity)) throw new Error(quantity.error);
      return [name, quantity];
    }),
  );

const cpu = (text: string): Quantities => amounts({ cpu: text });
const none: Quantities = new Map();

const parts = (given: Partial<PodRequestParts>): PodRequestParts => ({
  containers: [],
  initContainers: [],
  podLevel: { requests: none, limits: none },
  overhead: none,
  ...given,
});

const asking = (...containers: readonly Quantities[]) =>
  containers.map((requests) => ({ requests }));

const job = (text: string) => ({ requests: cpu(text), restartable: false });
const sidecar = (text: string) => ({ requests: cpu(text), restartable: true });

describe('effectiveRequests', () => {
  it('adds up the containers per resource', () => {
    const containers = asking(cpu('100m'), amounts({ cpu: '1', memory: '1Gi' }));
    expect(effectiveRequests(parts({ containers }))).toEqual({ cpu: 1100, memory: 2 ** 30 });
  });

  it('rounds the sum, not each container', () => {
    const containers = asking(cpu('100.4m'), cpu('100.4m'));
    expect(effectiveRequests(parts({ containers }))).toEqual({ cpu: 201 });
  });

  it('needs at least the largest init container, which run one after another', () => {
    const containers = asking(cpu('1'));
    expect(effectiveRequests(parts({ containers, initContainers: [job('3'), job('2')] }))).toEqual({
      cpu: 3000,
    });
    expect(effectiveRequests(parts({ containers, initContainers: [job('500m')] }))).toEqual({
      cpu: 1000,
    });
  });

  it('takes the maximum per resource', () => {
    const containers = asking(amounts({ cpu: '2', memory: '1Gi' }));
    const initContainers = [{ requests: amounts({ cpu: '1', memory: '4Gi' }), restartable: false }];
    expect(effectiveRequests(parts({ containers, initContainers }))).toEqual({
      cpu: 2000,
      memory: 4 * 2 ** 30,
    });
  });

  it('adds sidecars to the containers', () => {
    expect(
      effectiveRequests(parts({ containers: asking(cpu('1')), initContainers: [sidecar('200m')] })),
    ).toEqual({ cpu: 1200 });
  });

  it('an init container runs beside the sidecars started before it, not those after', () => {
    const containers = asking(cpu('1'));
    const before = [sidecar('500m'), job('2')];
    const after = [job('2'), sidecar('500m')];
    expect(effectiveRequests(parts({ containers, initContainers: before }))).toEqual({ cpu: 2500 });
    expect(effectiveRequests(parts({ containers, initContainers: after }))).toEqual({ cpu: 2000 });
  });

  it('pod-level requests stand in place of the sum for cpu, memory and hugepages only', () => {
    const containers = asking(amounts({ cpu: '3', memory: '1Gi', 'nvidia.com/gpu': '1' }));
    const requests = amounts({ cpu: '2', 'hugepages-2Mi': '4Mi', 'nvidia.com/gpu': '9' });
    expect(effectiveRequests(parts({ containers, podLevel: { requests, limits: none } }))).toEqual({
      cpu: 2000,
      memory: 2 ** 30,
      'nvidia.com/gpu': 1,
      'hugepages-2Mi': 4 * 2 ** 20,
    });
  });

  it('pod-level limits count for cpu and memory where no container asks', () => {
    const limits = amounts({ cpu: '5', memory: '2Gi', 'hugepages-2Mi': '8Mi' });
    const containers = asking(amounts({ cpu: '1', 'hugepages-2Mi': '2Mi' }));
    expect(effectiveRequests(parts({ containers, podLevel: { requests: none, limits } }))).toEqual({
      cpu: 1000,
      memory: 2 * 2 ** 30,
      'hugepages-2Mi': 8 * 2 ** 20,
    });
  });

  it('adds the overhead on top of everything', () => {
    const podLevel = { requests: cpu('2'), limits: none };
    const overhead = amounts({ cpu: '250m', memory: '120Mi' });
    expect(effectiveRequests(parts({ containers: asking(cpu('5')), podLevel, overhead }))).toEqual({
      cpu: 2250,
      memory: 120 * 2 ** 20,
    });
  });

  it('never says how many pods a pod is', () => {
    expect(
      effectiveRequests(parts({ containers: asking(amounts({ pods: '3', cpu: '1' })) })),
    ).toEqual({
      cpu: 1000,
    });
  });
});

describe('effectiveRequests of a pod on a node', () => {
  const spec = amounts({ cpu: '4', memory: '1Gi' });
  const allocated = amounts({ cpu: '2', memory: '3Gi' });
  const running = cpu('3');
  const resized = { requests: spec, allocated, running };
  const GiB = 2 ** 30;
  const onNode = (given: Partial<PodRequestParts>) =>
    effectiveRequests(parts({ status: { infeasible: false }, ...given }));

  it('takes the largest of spec, allocated and running', () => {
    expect(onNode({ containers: [resized] })).toEqual({ cpu: 4000, memory: 3 * GiB });
  });

  it('leaves the spec out where the resize is infeasible', () => {
    const status = { infeasible: true };
    expect(onNode({ containers: [resized], status })).toEqual({ cpu: 3000, memory: 3 * GiB });
  });

  it('compares the sums of the pod, not each container with its own status', () => {
    const shrinks = { requests: cpu('1'), allocated: cpu('3'), running: cpu('3') };
    const grows = { requests: cpu('3'), allocated: cpu('1'), running: cpu('1') };
    expect(onNode({ containers: [shrinks, grows] })).toEqual({ cpu: 4000 });
  });

  it('counts a container without a status with its spec, and nothing where that is infeasible', () => {
    const other = { requests: cpu('1') };
    expect(onNode({ containers: [resized, other] }).cpu).toBe(5000);
    const status = { infeasible: true };
    expect(onNode({ containers: [resized, other], status }).cpu).toBe(3000);
  });

  it('counts what was allocated where the status does not say what runs', () => {
    const growing = { requests: cpu('1'), allocated: cpu('2') };
    expect(onNode({ containers: [growing] })).toEqual({ cpu: 2000 });
  });

  it('applies the rule of init containers to each sum', () => {
    const initContainers = [{ requests: cpu('1'), allocated: cpu('6'), restartable: false }];
    expect(onNode({ containers: [resized], initContainers }).cpu).toBe(6000);
  });

  it('takes the status of the whole pod in place of the containers', () => {
    const podLevel = { running: cpu('7'), allocated: cpu('5') };
    const status = { infeasible: false, podLevel };
    expect(onNode({ containers: [resized], status })).toEqual({ cpu: 7000, memory: GiB });
    const half = { infeasible: false, podLevel: { running: cpu('7') } };
    expect(onNode({ containers: [resized], status: half })).toEqual({ cpu: 4000, memory: 3 * GiB });
  });

  it('compares pod-level requests with the status of the pod', () => {
    const podLevel = { requests: cpu('2'), limits: none };
    const status = { infeasible: false, podLevel: { running: cpu('3'), allocated: cpu('1') } };
    const containers = asking(cpu('9'));
    expect(onNode({ containers, podLevel })).toEqual({ cpu: 2000 });
    expect(onNode({ containers, podLevel, status })).toEqual({ cpu: 3000 });
    const shrunk = { infeasible: false, podLevel: { running: cpu('1'), allocated: cpu('1') } };
    expect(onNode({ containers, podLevel, status: shrunk })).toEqual({ cpu: 2000 });
    expect(onNode({ containers, podLevel, status: { ...shrunk, infeasible: true } })).toEqual({
      cpu: 1000,
    });
  });
});
