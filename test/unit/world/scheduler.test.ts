import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '#world/world.ts';
import {
  constraints,
  startMs,
  worldDaemonSet,
  worldGroup,
  worldSpec,
  worldWorkload,
} from '../../helpers/world-spec.ts';

const lapse = (world: World, seconds: number): World => {
  world.advanceTo(startMs + seconds * 1000);
  return world;
};

const podNamed = (world: World, name: string) =>
  world.cluster().pods.find((pod) => pod.name === name);

const oneNode = worldGroup({ min: 1, desired: 1 });

describe('the scheduler', () => {
  it('binds a pod that has room, which then runs', () => {
    const world = createWorld(worldSpec({ groups: [oneNode], workloads: [worldWorkload()] }));
    expect(podNamed(lapse(world, 1), 'web-1')).toMatchObject({
      phase: 'Pending',
      nodeName: 'ip-10-0-0-11.ec2.internal',
      scheduled: { status: 'True' },
    });
    expect(podNamed(lapse(world, 2), 'web-1')).toMatchObject({ phase: 'Running' });
  });

  it('marks a pod that fits nowhere, once, and binds it when a node is Ready', () => {
    const requests = { cpu: 1500 };
    const workload = worldWorkload({ replicas: 2, constraints: constraints({ requests }) });
    const world = createWorld(worldSpec({ workloads: [workload] }));
    lapse(world, 1);
    const scheduled = { status: 'False', reason: 'Unschedulable', sinceMs: startMs + 20 };
    expect(podNamed(world, 'web-1')?.scheduled).toEqual(scheduled);
    world.setDesiredCapacity('general', 1);
    lapse(world, 120);
    expect(podNamed(world, 'web-1')?.phase).toBe('Running');
    expect(podNamed(world, 'web-2')?.scheduled).toEqual(scheduled);
    const marked = world.takeHappenings().filter(({ kind }) => kind === 'podsUnschedulable');
    expect(marked).toEqual([
      { kind: 'podsUnschedulable', atMs: startMs + 20, pods: ['shop/web-1', 'shop/web-2'] },
    ]);
  });

  it('fills a node and not more, highest priority first', () => {
    const requests = { cpu: 700 };
    const world = createWorld(
      worldSpec({
        groups: [oneNode],
        workloads: [
          worldWorkload({ name: 'low', replicas: 3, constraints: constraints({ requests }) }),
          worldWorkload({ name: 'high', priority: 10, constraints: constraints({ requests }) }),
        ],
      }),
    );
    lapse(world, 10);
    const running = world.cluster().pods.filter(({ phase }) => phase === 'Running');
    expect(running.map(({ name }) => name).sort()).toEqual(['high-1', 'low-1']);
  });

  it('gives the room of a finished pod to one that waits', () => {
    const constraintsOfBoth = constraints({ requests: { cpu: 1500 } });
    const world = createWorld(
      worldSpec({
        groups: [oneNode],
        workloads: [
          worldWorkload({
            name: 'job',
            replicas: 2,
            constraints: constraintsOfBoth,
            runsFor: { fromMs: 30_000, toMs: 30_000 },
          }),
        ],
      }),
    );
    expect(podNamed(lapse(world, 20), 'job-2')?.nodeName).toBeUndefined();
    lapse(world, 40);
    expect(podNamed(world, 'job-1')?.phase).toBe('Succeeded');
    expect(podNamed(world, 'job-2')?.phase).toBe('Running');
  });

  it('spreads pods to the node with the most left', () => {
    const world = createWorld(
      worldSpec({
        groups: [worldGroup({ min: 2, desired: 2 })],
        workloads: [worldWorkload({ replicas: 4 })],
      }),
    );
    lapse(world, 5);
    const nodes = Map.groupBy(world.cluster().pods, ({ nodeName }) => nodeName);
    expect([...nodes.values()].map((pods) => pods.length)).toEqual([2, 2]);
  });

  it('keeps pods off taints they do not tolerate', () => {
    const taints = [{ key: 'dedicated', value: 'x', effect: 'NoSchedule' as const }];
    const tolerations = [{ key: 'dedicated', operator: 'Exists' as const }];
    const world = createWorld(
      worldSpec({
        groups: [worldGroup({ min: 1, desired: 1, taints })],
        workloads: [
          worldWorkload(),
          worldWorkload({ name: 'welcome', constraints: constraints({ tolerations }) }),
        ],
      }),
    );
    lapse(world, 5);
    expect(podNamed(world, 'web-1')?.nodeName).toBeUndefined();
    expect(podNamed(world, 'welcome-1')?.phase).toBe('Running');
  });
});

describe('a DaemonSet', () => {
  it('has a pod on every node that it fits, before other pods take the room', () => {
    const requests = { cpu: 1850 };
    const world = createWorld(
      worldSpec({
        daemonSets: [worldDaemonSet()],
        workloads: [worldWorkload({ constraints: constraints({ requests }) })],
      }),
    );
    world.setDesiredCapacity('general', 1);
    lapse(world, 120);
    expect(podNamed(world, 'agent-ip-10-0-0-11.ec2.internal')?.phase).toBe('Running');
    expect(podNamed(world, 'web-1')?.nodeName).toBeUndefined();
  });

  it('has none on nodes that it does not want, and counts in no figure', () => {
    const elsewhere = constraints({ nodeSelector: { role: 'other' } });
    const world = createWorld(
      worldSpec({
        groups: [oneNode],
        daemonSets: [worldDaemonSet(), worldDaemonSet({ name: 'x', constraints: elsewhere })],
      }),
    );
    lapse(world, 10);
    expect(world.cluster().pods.map(({ name }) => name)).toEqual([
      'agent-ip-10-0-0-11.ec2.internal',
    ]);
    expect(world.figures().pods.total).toBe(0);
  });
});
