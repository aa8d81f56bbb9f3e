import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readScenes } from '../../oracle/kept-scenes.ts';
import { engineVerdicts } from '../../oracle/offline-scene.ts';
import { differences } from '../../oracle/verdict.ts';

const scenes = readScenes(fileURLToPath(new URL('../../oracle/corpus', import.meta.url)));

describe('the engine agrees with what the real scheduler said once', () => {
  it.each(scenes.map((scene) => [scene.name, scene] as const))('%s', (_, scene) => {
    const engine = engineVerdicts(scene);
    const told = Object.entries(scene.scheduler);
    expect(told.length).toBeGreaterThan(0);
    for (const [pod, verdict] of told) {
      const ours = engine[pod];
      if (ours === undefined) throw new Error(`the scene does not ask about ${pod}`);
      expect(differences(verdict, ours), pod).toEqual([]);
    }
  });
});
