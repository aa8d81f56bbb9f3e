import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeList, KubeObject } from '../testbed/kube-client.ts';
import { putAll, type Refusal } from './api.ts';
import type { OracleCluster } from './oracle-cluster.ts';
import { nameOf, type SceneObject } from './scene.ts';
import { type Verdict, verdictOf } from './verdict.ts';

type Pod = KubeObject & {
  readonly metadata: { readonly namespace: string };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
};

export interface Answers {
  /** By `namespace/name`; a pod that the API server refused has none. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly refusals: readonly Refusal[];
}

const pollMs = 30;
/** No pod takes the scheduler so long; only a broken test bed does. */
const patienceMs = 120_000;

/** Puts the pods there and waits until the scheduler has tried each of them. */
export const askScheduler = async (
  { admin, extender }: OracleCluster,
  pods: readonly SceneObject[],
): Promise<Answers> => {
  const refusals = await putAll(admin, pods);
  const refused = new Set(refusals.map(({ object }) => object));
  const waiting = new Set(pods.filter(({ object }) => !refused.has(object)).map(nameOf));
  const verdicts = new Map<string, Verdict>();
  const deadline = Date.now() + patienceMs;
  while (waiting.size > 0) {
    if (Date.now() > deadline) {
      throw new Error(`the scheduler has not tried ${[...waiting].join(', ')}`);
    }
    await sleep(pollMs);
    // From the API server's cache: what is not there yet is there a moment later.
    const path = '/api/v1/pods?resourceVersion=0&fieldSelector=spec.nodeName=';
    const { items } = await admin.get<KubeList<Pod>>(path);
    for (const { metadata, status } of items) {
      const name = `${metadata.namespace}/${metadata.name}`;
      const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled');
      if (!waiting.has(name) || condition?.message === undefined) continue;
      if (condition.reason === 'SchedulingGated') continue;
      waiting.delete(name);
      verdicts.set(name, verdictOf(condition.message, extender.passed(metadata.uid) ?? []));
    }
  }
  return { verdicts, refusals };
};
