import type { Problem } from '#cluster/problem.ts';
import type { LiveRecording, RecordedPiece, SnapshotFolders } from '#ports/live-recording.ts';

export interface RecordSnapshotPorts {
  readonly recording: LiveRecording;
  readonly folders: SnapshotFolders;
}

export interface RecordSnapshotRequest {
  readonly cluster: string;
  /** The folder, which must not be there. */
  readonly out: string;
  /** Text of an `outrider.yaml` with this cluster alone. */
  readonly configuration: string;
}

/** The document that `outrider snapshot --json` prints. */
export interface SnapshotRecorded {
  readonly cluster: string;
  readonly folder: string;
  readonly files: readonly { readonly file: string; readonly count: number }[];
  /** What could not be read and is left out, and why. */
  readonly problems: readonly Problem[];
  /** What people should know that is no fault: kinds left out, which a plan takes for empty. */
  readonly notes: readonly string[];
}

/**
 * Records a live cluster and its groups into a folder for `outrider plan --snapshot`. The folder is there as
 * a whole or not at all. Throws a `PortError` where the path is taken or a half of the world cannot be read.
 */
export const recordSnapshot = async (
  { recording, folders }: RecordSnapshotPorts,
  request: RecordSnapshotRequest,
): Promise<SnapshotRecorded> => {
  const folder = await folders.create(request.out);
  const counts = new Map<string, number>();
  const keep = async ({ name, count, content }: RecordedPiece): Promise<void> => {
    const file = `${name}.json`;
    counts.set(file, (counts.get(file) ?? 0) + count);
    await folder.append(file, content);
  };
  try {
    await folder.append('outrider.yaml', request.configuration);
    const notes = await recording.lists(keep);
    const answers = await recording.answers();
    for (const piece of answers.pieces) await keep(piece);
    await folder.commit();
    return {
      cluster: request.cluster,
      folder: request.out,
      files: [...counts].map(([file, count]) => ({ file, count })),
      problems: answers.problems,
      notes,
    };
  } finally {
    await folder.discard();
  }
};
