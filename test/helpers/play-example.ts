import { readFileSync } from 'node:fs';
import { readScenario, type Scenario } from '#config/scenario.ts';
import type { StoryEvent, StoryKind } from '#operations/scenario/story.ts';
import type { ScenarioSummary } from '#operations/scenario/summary.ts';
import { simulate } from '#wiring/simulation.ts';

export interface Played {
  readonly events: readonly StoryEvent[];
  readonly summary: ScenarioSummary;
  /** `0.2 raise general from 0 to 1`: seconds and what, of one kind. */
  told(kind: StoryKind): readonly string[];
}

export const scenarioOf = (text: string): Scenario => {
  const checked = readScenario(text, 'scenario.yaml');
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
  return checked.value;
};

export const exampleScenario = (name: string): Scenario =>
  scenarioOf(readFileSync(new URL(`../../examples/${name}.yaml`, import.meta.url), 'utf8'));

export const play = async (scenario: Scenario, seed?: number): Promise<Played> => {
  const events: StoryEvent[] = [];
  const story = simulate(scenario, {
    engineVersion: 'test',
    ...(seed === undefined ? {} : { seed }),
  });
  for (let next = await story.next(); ; next = await story.next()) {
    if (next.done !== true) {
      events.push(next.value);
      continue;
    }
    return {
      events,
      summary: next.value,
      told: (kind) =>
        events
          .filter((event) => event.kind === kind)
          .map(({ atMs, what }) => `${(atMs / 1000).toFixed(1)} ${what}`),
    };
  }
};
