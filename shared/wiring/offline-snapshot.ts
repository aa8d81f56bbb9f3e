import { fileRecordings, type ReadingProgress } from '#adapters/files/recordings.ts';
import { readTextFile } from '#adapters/files/text-file.ts';
import { firstProblemLine, type Problem } from '#cluster/problem.ts';
import type { ClusterConfiguration } from '#config/configuration.ts';
import { readConfiguration } from '#config/read-configuration.ts';
import { PortError } from '#ports/port-error.ts';
import type { Recording } from '#ports/recordings.ts';

export interface OfflineSnapshot {
  readonly recording: Recording;
  readonly clusters: readonly ClusterConfiguration[];
  /** Of the configuration beside the recording, where it cannot be used. */
  readonly configurationProblems?: readonly Problem[];
}

export interface SnapshotPaths {
  readonly snapshot: string;
  readonly configuration?: string;
  readonly onProgress?: (progress: ReadingProgress) => void;
}

/** A configuration that was asked for must be right: a plan by another policy would mislead. */
const readAskedFor = async (file: string): Promise<readonly ClusterConfiguration[]> => {
  const read = readConfiguration(await readTextFile(file), file);
  if ('configuration' in read) return read.configuration.clusters;
  throw new PortError('invalid', firstProblemLine(read.problems));
};

/**
 * A recorded cluster with the configuration to plan it by: the one named, else the one found beside
 * the recording (a faulty one is told apart and left out). Throws a `PortError` (`notFound`,
 * `invalid`) where nothing can be planned.
 */
export const openOfflineSnapshot = async (paths: SnapshotPaths): Promise<OfflineSnapshot> => {
  const asked =
    paths.configuration === undefined ? undefined : await readAskedFor(paths.configuration);
  const recording = await fileRecordings(paths.onProgress).read(paths.snapshot);
  const found = recording.configuration;
  if (asked !== undefined) {
    const note = `${found?.file} is not used: --configuration names ${paths.configuration}`;
    const notes = found === undefined ? recording.notes : [...recording.notes, note];
    return { recording: { ...recording, notes }, clusters: asked };
  }
  if (found === undefined) return { recording, clusters: [] };
  const read = readConfiguration(found.text, found.file);
  if ('configuration' in read) return { recording, clusters: read.configuration.clusters };
  const note = `${found.file} is not used, so the policy is the default one: mend its faults first`;
  return {
    recording: { ...recording, notes: [...recording.notes, note] },
    clusters: [],
    configurationProblems: read.problems,
  };
};
