import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '../testbed/run.ts';

/** One kind's objects and where the API server looks for them. */
export interface EtcdObjects {
  readonly apiVersion: string;
  readonly kind: string;
  /** `/registry/pods/default`. */
  readonly prefix: string;
  readonly objects: Iterable<unknown>;
}

/** etcd takes 128 operations in one transaction and 1.5 MiB in one request. */
const perTransaction = 100;
const atOnce = 4;
const mostAttempts = 5;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const nameOf = (object: unknown): string =>
  (object as { readonly metadata: { readonly name: string } }).metadata.name;

/**
 * Puts objects into etcd as JSON, which the API server reads as well as its own encoding: thousands a second,
 * with the status and the managed fields that a real object has, neither of which a create request may set.
 */
export const fillEtcd = async (
  etcdUrl: string,
  kinds: readonly EtcdObjects[],
  progress: Progress,
): Promise<void> => {
  for (const kind of kinds) {
    let done = 0;
    const batches = batchesOf(kind);
    const work = async (): Promise<void> => {
      for (const batch of batches) {
        await put(etcdUrl, batch);
        done += batch.length;
        if (done % (perTransaction * 100) === 0) progress(`${done} objects of kind ${kind.kind}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    progress(`${done} objects of kind ${kind.kind}, all of them`);
  }
};

interface Put {
  readonly key: string;
  readonly value: string;
}

function* batchesOf(kind: EtcdObjects): Generator<readonly Put[], void, undefined> {
  let batch: Put[] = [];
  for (const object of kind.objects) {
    const { apiVersion, kind: name, prefix } = kind;
    const { metadata, ...rest } = object as { readonly metadata: Record<string, unknown> };
    // The version is etcd's own and stands in no stored object.
    const { resourceVersion: _, ...stored } = metadata;
    const text = JSON.stringify({ apiVersion, kind: name, metadata: stored, ...rest });
    batch.push({ key: base64(`${prefix}/${nameOf(object)}`), value: base64(text) });
    if (batch.length < perTransaction) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const put = async (etcdUrl: string, batch: readonly Put[]): Promise<void> => {
  const body = JSON.stringify({ success: batch.map((requestPut) => ({ requestPut })) });
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(`${etcdUrl}/v3/kv/txn`, { method: 'POST', body });
    const text = await answer.text();
    if (answer.ok) return;
    if (attempt >= mostAttempts) throw new Error(`etcd: ${answer.status} ${text.slice(0, 300)}`);
    await sleep(200 * attempt);
  }
};
