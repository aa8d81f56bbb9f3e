import { newReadMemory } from '#cluster/fields.ts';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import type { ClusterSnapshot, PodView } from '#cluster/snapshot.ts';
import { type RawClusterSize, rawDaemonSets, rawNodes, rawPods } from '../raw-cluster.ts';

const podsAtATime = 1000;

const listOf = (kind: string, items: readonly unknown[], apiVersion = 'v1') => ({
  object: { kind: `${kind}List`, apiVersion, items },
});

/** The cluster as it is parsed from what its API server lists; a page of pods at a time, to spare memory. */
export function readCluster(size: RawClusterSize): ClusterSnapshot {
  const memory = newReadMemory();
  const read = (list: ReturnType<typeof listOf>): ClusterSnapshot => {
    const { snapshot, problems } = readClusterObjects([list], memory);
    if (problems.length > 0) throw new Error(`made badly: ${JSON.stringify(problems[0])}`);
    return snapshot;
  };
  const pods: PodView[] = [];
  let page: unknown[] = [];
  const readPage = () => {
    pods.push(...read(listOf('Pod', page)).pods);
    page = [];
  };
  for (const pod of rawPods(size)) if (page.push(pod) === podsAtATime) readPage();
  readPage();
  const { daemonSets } = read(listOf('DaemonSet', [...rawDaemonSets()], 'apps/v1'));
  return { ...read(listOf('Node', [...rawNodes(size)])), pods, daemonSets };
}
