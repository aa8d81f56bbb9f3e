import type { Problem } from '#cluster/problem.ts';

/** What somebody recorded of a cluster and its account with kubectl and aws. */
export interface Recordings {
  /** Throws `notFound` where there is no such file or folder, `invalid` where none of it is usable. */
  read(path: string): Promise<Recording>;
}

export interface Recording {
  /** Kubernetes objects, Lists taken apart, each once; without what no command may keep. */
  readonly objects: readonly Recorded[];
  /** Kinds of which an empty List is there: there are none of them. */
  readonly emptyKinds?: readonly string[];
  /** Answers of AWS: Auto Scaling groups, launch template versions, instance types. */
  readonly aws: readonly Recorded[];
  /** `outrider.yaml` as text, where one is there. */
  readonly configuration?: { readonly file: string; readonly text: string };
  /** By instance type: dollars per hour, or `{ onDemand, spot }`; unchecked. */
  readonly prices?: Recorded;
  /** The newest moment that the objects tell of. */
  readonly newestMs?: number;
  /** Files and objects that could not be used. */
  readonly problems: readonly Problem[];
  /** What people should know that is no fault: kinds left aside, objects that are there twice. */
  readonly notes: readonly string[];
}

export interface Recorded {
  readonly file: string;
  /** As the API gave it. */
  readonly content: Readonly<Record<string, unknown>>;
}
