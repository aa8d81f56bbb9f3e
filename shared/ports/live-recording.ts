import type { Problem } from '#cluster/problem.ts';

/** A live cluster and its groups as they answer, so that somebody can keep it. */
export interface LiveRecording {
  /**
   * Hands over each list in pieces: Lists of one kind, without what must not be kept (environment values,
   * arguments, managed fields). Secrets and ConfigMaps are never asked for. A kind that the identity may not list is
   * left out and noted for people, unless no plan can be made without it (throws).
   */
  lists(keep: (piece: RecordedPiece) => Promise<void>): Promise<readonly string[]>;
  /** The answers of AWS that a look reads, by the name that their file is to have. */
  answers(): Promise<{
    readonly pieces: readonly RecordedPiece[];
    readonly problems: readonly Problem[];
  }>;
}

export interface RecordedPiece {
  /** `pods`, `auto-scaling-groups`. */
  readonly name: string;
  readonly count: number;
  readonly content: object;
}

/** Where a recording is written. */
export interface SnapshotFolders {
  /** Throws `invalid` where the path is taken. */
  create(path: string): Promise<SnapshotFolder>;
}

/** A folder that is there as a whole or not at all. */
export interface SnapshotFolder {
  /** Adds a document to a file. */
  append(file: string, content: object | string): Promise<void>;
  /** Puts it where it was asked for. */
  commit(): Promise<void>;
  /** Takes away what was written; does nothing after `commit`. */
  discard(): Promise<void>;
}
