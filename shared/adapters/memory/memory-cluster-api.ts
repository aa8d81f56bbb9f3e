import type { ClusterApi } from '#ports/cluster-api.ts';
import { PortError } from '#ports/port-error.ts';
import type { World } from '#world/world.ts';
import { admit } from './admit.ts';

/** The API server of a simulated cluster. */
export const memoryClusterApi = (world: World): ClusterApi => ({
  snapshot: async () => {
    admit(world, 'listCluster');
    return { snapshot: world.cluster(), problems: [] };
  },
  postPodEvent: async ({ atMs: _atMs, ...note }) => {
    admit(world, 'postPodEvent');
    if (world.postPodNote(note)) return;
    throw new PortError('notFound', `there is no pod ${note.namespace}/${note.pod} of that UID`);
  },
});
