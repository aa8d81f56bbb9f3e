import { shown } from './fields.ts';
import { isJsonObject } from './json.ts';
import type { Problem } from './problem.ts';

/** One object of a cluster as it came, and the file it came from. */
export interface RawObject {
  readonly object: unknown;
  readonly file?: string;
}

/** A RawObject that is an object, with its kind. */
export interface KindedObject {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly kind: string;
  /** The API group; empty for the core group, absent where the object does not say. */
  readonly group?: string;
  readonly file?: string;
}

export interface Flattened {
  readonly objects: readonly KindedObject[];
  /** Kinds of which there was a list, even an empty one. */
  readonly listedKinds: readonly string[];
  readonly problems: readonly Problem[];
}

interface Pending extends RawObject {
  /** What the elements of a PodList are, which do not say so themselves. */
  readonly inherited?: { readonly kind: string; readonly apiVersion?: string };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

function problemOf(raw: RawObject, code: string, message: string): Problem {
  return { ...(raw.file === undefined ? {} : { file: raw.file }), code, message };
}

/**
 * Takes Lists apart, within each other too, keeping the order: `List` as kubectl prints it and
 * `PodList` and the like as the API server does.
 */
export function flattenLists(raws: readonly RawObject[]): Flattened {
  const objects: KindedObject[] = [];
  const listedKinds: string[] = [];
  const problems: Problem[] = [];
  const stack: Pending[] = [...raws].reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { object, file, inherited } = next;
    const at = file === undefined ? {} : { file };
    if (!isJsonObject(object)) {
      const message = `${shown(object)} is not a Kubernetes object; give what kubectl prints with -o json or -o yaml`;
      problems.push(problemOf(next, 'objectExpected', message));
      continue;
    }
    const kind = textOf(object.kind) || inherited?.kind;
    const apiVersion = textOf(object.apiVersion) || inherited?.apiVersion;
    if (kind === undefined) {
      const message = 'an object has no kind; give what kubectl prints with -o json or -o yaml';
      problems.push(problemOf(next, 'kindMissing', message));
      continue;
    }
    const items = object.items;
    if (kind.endsWith('List') && Array.isArray(items)) {
      const elementKind = kind.slice(0, -'List'.length);
      if (elementKind !== '') listedKinds.push(elementKind);
      const element =
        elementKind === ''
          ? {}
          : {
              inherited: {
                kind: elementKind,
                ...(apiVersion === undefined ? {} : { apiVersion }),
              },
            };
      for (let index = items.length - 1; index >= 0; index -= 1) {
        stack.push({ object: items[index], ...at, ...element });
      }
      continue;
    }
    objects.push({
      fields: object,
      kind,
      ...(apiVersion === undefined ? {} : { group: groupOf(apiVersion) }),
      ...at,
    });
  }
  return { objects, listedKinds, problems };
}
