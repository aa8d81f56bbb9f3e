import { fileURLToPath } from 'node:url';
import { readTextFile } from '#adapters/files/text-file.ts';
import { memoryCapacityLedger } from '#adapters/memory/memory-capacity-ledger.ts';
import { memoryClock } from '#adapters/memory/memory-clock.ts';
import { memoryClusterApi } from '#adapters/memory/memory-cluster-api.ts';
import { memoryClusterLeases } from '#adapters/memory/memory-cluster-leases.ts';
import { memoryJournal } from '#adapters/memory/memory-journal.ts';
import { memoryMetrics } from '#adapters/memory/memory-metrics.ts';
import { memoryNodeGroups } from '#adapters/memory/memory-node-groups.ts';
import { memoryPages } from '#adapters/memory/memory-pages.ts';
import { memoryWakeups } from '#adapters/memory/memory-wakeups.ts';
import type { Problem } from '#cluster/problem.ts';
import { readScenario, type Scenario } from '#config/scenario.ts';
import { type PlayProgress, playScenario } from '#operations/play-scenario.ts';
import type { PlayPorts } from '#operations/scenario/looker.ts';
import type { StoryEvent } from '#operations/scenario/story.ts';
import type { ScenarioSummary } from '#operations/scenario/summary.ts';
import { createWorld, type World } from '#world/world.ts';

/** Every port of scale-up over a simulated world. */
export const simulatedPorts = (world: World): PlayPorts => {
  const leases = memoryClusterLeases();
  return {
    clock: memoryClock(world),
    leases,
    clusterApi: memoryClusterApi(world),
    nodeGroups: memoryNodeGroups(world),
    ledger: memoryCapacityLedger(leases),
    journal: memoryJournal(leases),
    metrics: memoryMetrics(),
    wakeups: memoryWakeups(),
    pages: memoryPages(),
  };
};

export interface SimulationOptions {
  readonly engineVersion: string;
  /** Instead of the scenario's own. */
  readonly seed?: number;
  readonly onProgress?: (progress: PlayProgress) => void;
}

const defaultScenario = fileURLToPath(new URL('../../examples/first-pods.yaml', import.meta.url));

/** The scenario of a file, by default the first example, or what is wrong with it. Throws a `PortError` where it cannot be read. */
export const openScenario = async (
  file = defaultScenario,
): Promise<{ readonly scenario: Scenario } | { readonly problems: readonly Problem[] }> => {
  const checked = readScenario(await readTextFile(file), file);
  return 'value' in checked ? { scenario: checked.value } : { problems: checked.problems };
};

/** Builds the world of a scenario and plays it. */
export const simulate = (
  scenario: Scenario,
  options: SimulationOptions,
): AsyncGenerator<StoryEvent, ScenarioSummary> => {
  const world = createWorld({ ...scenario.world, seed: options.seed ?? scenario.world.seed });
  return playScenario(world, simulatedPorts(world), {
    policy: scenario.policy,
    engineVersion: options.engineVersion,
    limitMs: scenario.limitMs,
    lateAfterMs: scenario.lateAfterMs,
    ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
  });
};
