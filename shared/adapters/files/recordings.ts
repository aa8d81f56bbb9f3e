import { counted } from '#cluster/counted.ts';
import { firstProblemLine, type Problem } from '#cluster/problem.ts';
import { PortError } from '#ports/port-error.ts';
import type { Recorded, Recording, Recordings } from '#ports/recordings.ts';
import { listFiles } from './list-files.ts';
import { newestTime } from './newest-time.ts';
import { type ParsedFile, parseFile } from './parse-file.ts';
import { readBytes } from './read-bytes.ts';
import { plannedKinds, sortValue } from './sort-values.ts';
import { stripObject } from './strip-object.ts';

interface Gathered {
  readonly objects: Map<string, Recorded>;
  readonly aws: Recorded[];
  readonly problems: Problem[];
  readonly leftAside: Map<string, number>;
  /** Kinds of which an empty List was recorded. */
  readonly none: Set<string>;
  twice: number;
  newestMs: number;
  configuration?: { readonly file: string; readonly text: string };
  prices?: Recorded;
}

/** Two recordings of one object are one object: the first file counts. */
const identityOf = (kind: string, value: Readonly<Record<string, unknown>>): string => {
  const metadata = (value.metadata ?? {}) as Readonly<Record<string, unknown>>;
  return `${kind}/${String(metadata.namespace ?? '')}/${String(metadata.name ?? '')}`;
};

const keepObject = (gathered: Gathered, kind: string, recorded: Recorded): void => {
  const named = identityOf(kind, recorded.content);
  // An object without a name is broken; each is kept so that each is named as a problem.
  const identity = named.endsWith('/') ? `${named}#${gathered.objects.size}` : named;
  if (gathered.objects.has(identity)) {
    gathered.twice += 1;
    return;
  }
  gathered.objects.set(identity, recorded);
};

const gatherFile = (gathered: Gathered, file: string, parsed: ParsedFile): void => {
  gathered.problems.push(...parsed.problems);
  if (parsed.configuration !== undefined) {
    if (gathered.configuration === undefined) {
      gathered.configuration = { file, text: parsed.configuration };
    } else {
      const message = `is a second configuration beside ${gathered.configuration.file}: leave one out`;
      gathered.problems.push({ file, code: 'twoConfigurations', message });
    }
  }
  for (const { value, field, listKind } of parsed.values) {
    for (const sorted of sortValue(value, field, listKind)) {
      switch (sorted.sort) {
        case 'object':
          gathered.newestMs = Math.max(gathered.newestMs, newestTime(sorted.value));
          // Lists within Lists and YAML come here whole.
          stripObject(sorted.value);
          keepObject(gathered, sorted.kind, { file, content: sorted.value });
          break;
        case 'aws':
          gathered.aws.push({ file, content: sorted.value });
          break;
        case 'prices':
          gathered.prices ??= { file, content: sorted.value };
          break;
        case 'none':
          gathered.none.add(sorted.kind);
          break;
        case 'leftAside':
          gathered.leftAside.set(sorted.what, (gathered.leftAside.get(sorted.what) ?? 0) + 1);
          break;
        case 'problem':
          gathered.problems.push({ file, ...sorted.problem });
          break;
      }
    }
  }
};

const awsLists: readonly (readonly [string, string])[] = [
  ['AutoScalingGroups', 'Auto Scaling groups'],
  ['LaunchTemplateVersions', 'launch template versions'],
  ['InstanceTypes', 'instance types'],
];

const notesOf = (gathered: Gathered): readonly string[] => {
  const kinds = new Set([...gathered.objects.keys()].map((key) => key.slice(0, key.indexOf('/'))));
  const missing = [
    ...plannedKinds.filter((kind) => !kinds.has(kind) && !gathered.none.has(kind)),
    ...awsLists
      .filter(([list]) => !gathered.aws.some(({ content }) => Object.hasOwn(content, list)))
      .map(([, words]) => words),
  ];
  const aside = [...gathered.leftAside].map(([what, count]) => `${what} (${count})`);
  return [
    ...(missing.length === 0
      ? []
      : [`not in the snapshot, treated as empty: ${missing.join(', ')}`]),
    ...(aside.length === 0 ? [] : [`not needed for a plan: ${aside.join(', ')}`]),
    ...(gathered.twice === 0
      ? []
      : [`recorded more than once, the first counts: ${counted(gathered.twice, 'object')}`]),
  ];
};

const nothingUsable = (path: string, problems: readonly Problem[]): PortError => {
  const why = firstProblemLine(problems) || 'record a cluster into it with kubectl get … -o json';
  return new PortError('invalid', `${path} holds nothing usable: ${why}`);
};

/** What one buffer holds. */
const mostBytes = 2 * 1024 ** 3 - 1024 ** 2;

/** How far the reading is: a file of a hundred megabytes takes seconds. */
export interface ReadingProgress {
  readonly file: string;
  readonly bytes: number;
  /** Of those bytes. */
  readonly done: number;
}

/** Recordings as files: a folder (and the folders in it) or one file with all of it. */
export const fileRecordings = (onProgress?: (progress: ReadingProgress) => void): Recordings => ({
  async read(path) {
    const { files, problems } = await listFiles(path);
    const gathered: Gathered = {
      objects: new Map(),
      aws: [],
      problems: [...problems],
      leftAside: new Map(),
      none: new Set(),
      twice: 0,
      newestMs: Number.NEGATIVE_INFINITY,
    };
    const only = files.length === 1 && files[0]?.name === path;
    for (const { path: at, name } of files) {
      try {
        const bytes = await readBytes(at, { mostBytes });
        const report = (done: number): void =>
          onProgress?.({ file: name, bytes: bytes.length, done });
        report(0);
        gatherFile(gathered, name, parseFile(bytes, name, report));
      } catch (error) {
        if (only || !(error instanceof PortError)) throw error;
        const message = error.message.replace(`${at} `, '');
        gathered.problems.push({ file: name, code: 'unreadable', message });
      }
    }
    if (gathered.objects.size === 0 && gathered.aws.length === 0) {
      throw nothingUsable(path, gathered.problems);
    }
    return recordingOf(gathered);
  },
});

const recordingOf = (gathered: Gathered): Recording => ({
  objects: [...gathered.objects.values()],
  ...(gathered.none.size === 0 ? {} : { emptyKinds: [...gathered.none] }),
  aws: gathered.aws,
  ...(gathered.configuration === undefined ? {} : { configuration: gathered.configuration }),
  ...(gathered.prices === undefined ? {} : { prices: gathered.prices }),
  ...(Number.isFinite(gathered.newestMs) ? { newestMs: gathered.newestMs } : {}),
  problems: gathered.problems,
  notes: notesOf(gathered),
});
