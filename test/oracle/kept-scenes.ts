import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scene } from './scene.ts';
import type { Verdict } from './verdict.ts';

/** A scene with what the real scheduler said of it, so that it can be checked without one too. */
export interface KeptScene extends Scene {
  /** By `namespace/name` of the asked pod. */
  readonly scheduler: Readonly<Record<string, Verdict>>;
}

/** Writes it to a file named by its content, and gives the path. */
export const keepScene = (folder: string, scene: KeptScene): string => {
  mkdirSync(folder, { recursive: true });
  const text = `${JSON.stringify(scene, null, 2)}\n`;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 10);
  const path = join(folder, `scene-${digest}.json`);
  writeFileSync(path, text);
  return path;
};

/** The scenes of a file, or of all JSON files of a folder in the order of their names. */
export const readScenes = (path: string): readonly KeptScene[] => {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => join(path, name))
    : [path];
  return files.map(sceneOf);
};

const sceneOf = (file: string): KeptScene => {
  const read = JSON.parse(readFileSync(file, 'utf8')) as KeptScene;
  if (Array.isArray(read?.cluster) && Array.isArray(read.asked)) return read;
  throw new Error(`${file} has no lists "cluster" and "asked"`);
};
