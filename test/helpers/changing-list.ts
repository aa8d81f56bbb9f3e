import type { ApiClient } from '#adapters/kubernetes/api-client.ts';
import { statusError } from '#adapters/kubernetes/api-error.ts';

/** One change to the pods of a fake server. */
export interface Change {
  readonly name: number;
  /** `create` of one that is there recreates it: another UID under the same name. */
  readonly kind: 'create' | 'modify' | 'delete';
  /** Versions that other kinds of objects take up before it. */
  readonly skip: number;
}

interface Event {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: unknown;
}

export interface ChangingList {
  readonly client: ApiClient;
  apply(change: Change): void;
  /** Changes made between the list of one and the watch of the next look. */
  meanwhile(changes: readonly Change[]): void;
  /** What becomes of a watch's lines on their way; `proven` is the version that the list of one gave. */
  distort(how: (lines: readonly string[], proven: number) => readonly string[]): void;
  /** Refuses the next watch with this HTTP status. */
  refuseWatch(status: number): void;
  /** What the list of one says of the number of objects, given the true one. */
  miscount(how: (count: number) => number | undefined): void;
  /** Paths asked for, with `watch`, `one` or `list`. */
  readonly asked: string[];
  version(): number;
}

const podPath = '/api/v1/pods';

/** A server that keeps pods, their versions and their history, as etcd and the watch cache do. */
export const changingList = (first: number): ChangingList => {
  const pods = new Map<number, { readonly uid: string; readonly version: number }>();
  const history: Event[] = [];
  const asked: string[] = [];
  let version = 100;
  let uids = 0;
  let between: readonly Change[] = [];
  let distortion = (lines: readonly string[], _proven: number): readonly string[] => lines;
  let proven = 0;
  let refusal: number | undefined;
  let counting = (count: number): number | undefined => count;

  const rawPod = (name: number) => {
    const pod = pods.get(name);
    return {
      metadata: {
        namespace: 'a',
        name: `p${String(name).padStart(3, '0')}`,
        uid: pod?.uid,
        resourceVersion: String(pod?.version),
        labels: { version: String(pod?.version) },
      },
      // Every seventh cannot be read.
      spec: { containers: [], priority: name % 7 === 0 ? 'high' : 1 },
      status: { phase: 'Pending' },
    };
  };
  const tell = (type: Event['type'], name: number): void => {
    history.push({ version, type, object: structuredClone(rawPod(name)) });
  };
  const create = (name: number): void => {
    version += 1;
    uids += 1;
    pods.set(name, { uid: `uid-${uids}`, version });
    tell('ADDED', name);
  };
  const remove = (name: number): void => {
    const pod = pods.get(name);
    if (pod === undefined) return;
    version += 1;
    // The event of a deletion carries the version of the deletion.
    pods.set(name, { ...pod, version });
    tell('DELETED', name);
    pods.delete(name);
  };
  const apply = ({ name, kind, skip }: Change): void => {
    version += skip;
    const pod = pods.get(name);
    if (kind === 'modify' && pod !== undefined) {
      version += 1;
      pods.set(name, { ...pod, version });
      tell('MODIFIED', name);
      return;
    }
    remove(name);
    if (kind !== 'delete') create(name);
  };
  for (let name = 0; name < first; name += 1) create(name);

  const list = (path: string, query: Readonly<Record<string, string>>) => {
    const names = path === podPath ? [...pods.keys()].sort((a, b) => a - b) : [];
    const start = Number(query.continue ?? 0);
    const end = start + Number(query.limit);
    const left = counting(names.length - end);
    return {
      metadata: {
        resourceVersion: String(version),
        ...(end < names.length && {
          continue: String(end),
          ...(left !== undefined && { remainingItemCount: left }),
        }),
      },
      items: names.slice(start, end).map(rawPod),
    };
  };

  const client: Pick<ApiClient, 'get' | 'lines'> = {
    async get(path, query = {}) {
      const one = query.limit === '1';
      asked.push(`${path} ${one ? 'one' : 'list'}`);
      const answer = list(path, query);
      if (one && path === podPath) {
        proven = version;
        for (const change of between) apply(change);
      }
      return structuredClone(answer);
    },
    async *lines(path, query) {
      asked.push(`${path} watch`);
      if (refusal !== undefined) throw statusError(`GET ${path}`, { status: refusal }, '');
      const from = path === podPath ? Number(query.resourceVersion) : version;
      const events = history.filter((event) => event.version > from);
      const metadata = { resourceVersion: String(version) };
      const bookmark: Event = { version, type: 'BOOKMARK', object: { kind: 'Pod', metadata } };
      const lines = [...events, bookmark].map(({ type, object }) =>
        JSON.stringify({ type, object }),
      );
      yield* path === podPath ? distortion(lines, proven) : lines;
    },
  };

  return {
    client: client as ApiClient,
    asked,
    apply,
    meanwhile: (changes) => {
      between = changes;
    },
    distort: (how) => {
      distortion = how;
    },
    refuseWatch: (status) => {
      refusal = status;
    },
    miscount: (how) => {
      counting = how;
    },
    version: () => version,
  };
};
