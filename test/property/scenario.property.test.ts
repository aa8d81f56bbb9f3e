import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { playScenario } from '#operations/play-scenario.ts';
import type { StoryEvent } from '#operations/scenario/story.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import { simulatedPorts } from '#wiring/simulation.ts';
import type { WorldSpec } from '#world/spec.ts';
import { createWorld } from '#world/world.ts';
import { constraints, worldGroup, worldSpec, worldWorkload } from '../helpers/world-spec.ts';

/** One group with room for all, and workloads whose pods each fit an empty node of it. */
const kindSpecs = fc
  .record({
    seed: fc.nat(),
    max: fc.constant(200),
    hintsLost: fc.boolean(),
    staleMs: fc.constantFrom(0, 3_000, 70_000),
    workloads: fc.array(
      fc.record({
        replicas: fc.integer({ min: 1, max: 20 }),
        cpu: fc.integer({ min: 50, max: 1_900 }),
        atMs: fc.integer({ min: 0, max: 200_000 }),
        everyMs: fc.constantFrom(0, 900),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(
    ({ seed, max, hintsLost, staleMs, workloads }): WorldSpec =>
      worldSpec({
        seed,
        groups: [worldGroup({ max, boot: { fromMs: 20_000, toMs: 200_000 } })],
        workloads: workloads.map(({ cpu, ...workload }, index) =>
          worldWorkload({
            ...workload,
            name: `w${index}`,
            constraints: constraints({ requests: { cpu } }),
          }),
        ),
        lag: { hintMs: 0, hintsLost, clusterStaleMs: staleMs, groupsStaleMs: staleMs },
      }),
  );

const playThrough = async (spec: WorldSpec) => {
  const world = createWorld(spec);
  const story = playScenario(world, simulatedPorts(world), {
    policy: { ...defaultScalingPolicy, mode: 'act' },
    engineVersion: 'test',
    limitMs: 3_600_000,
    lateAfterMs: 180_000,
  });
  const events: StoryEvent[] = [];
  for (let next = await story.next(); ; next = await story.next()) {
    if (next.done === true) return { world, events, summary: next.value };
    events.push(next.value);
  }
};

describe('a group with room and capacity', () => {
  it('runs every pod, however hints and reads lag, on no more nodes than pods', async () => {
    await fc.assert(
      fc.asyncProperty(kindSpecs, async (spec) => {
        const { events, summary } = await playThrough(spec);
        const bad = events.filter(({ kind }) => ['failure', 'stuck', 'blocked'].includes(kind));
        expect(bad).toEqual([]);
        expect(summary.pods.lost).toBe(0);
        expect(summary.nodes.added).toBeLessThanOrEqual(summary.pods.total);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a group that may not grow enough', () => {
  it('is filled to its maximum and never beyond, and what has no room is told why', async () => {
    await fc.assert(
      fc.asyncProperty(kindSpecs, fc.nat(2), async (spec, max) => {
        const [group] = spec.groups;
        if (group === undefined) return;
        const { world, events, summary } = await playThrough({
          ...spec,
          groups: [{ ...group, max }],
        });
        const [now] = world.groups().groups;
        expect(now?.desired).toBeLessThanOrEqual(max);
        expect(now?.instances.length).toBeLessThanOrEqual(max);
        if (summary.pods.lost > 0) {
          expect(events.some(({ kind }) => kind === 'stuck')).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });
});
