import { memoryScene } from './scale-up/memory-scene.ts';
import { scenes } from './scale-up/scenes.ts';
import type { CrashOperation } from './stage.ts';

/** Every operation that is made to die at each of its port calls. Listing one here is all it takes. */
export const operations: readonly CrashOperation[] = [
  {
    name: 'scale-up',
    calls: [
      'clusterApi.postPodEvent',
      'clusterApi.snapshot',
      'journal.head',
      'journal.record',
      'journal.writeHead',
      'leases.acquire',
      'leases.mark',
      'leases.release',
      'ledger.read',
      'ledger.remove',
      'ledger.write',
      'nodeGroups.capacity',
      'nodeGroups.discover',
      'nodeGroups.foreign',
      'nodeGroups.launches',
      'nodeGroups.setDesiredCapacity',
      'pages.send',
      'wakeups.send',
    ],
    independent: ['nodeGroups.setDesiredCapacity', 'clusterApi.postPodEvent'],
    consistent: ['ledger.read', 'journal.head'],
    open: async (world) => {
      if (world === 'memory') {
        return {
          arrangements: scenes.map((scene) => ({ ...scene, stage: () => memoryScene(scene) })),
          close: async () => {},
        };
      }
      const { openTestbedScenes } = await import('./scale-up/testbed-scene.ts');
      return openTestbedScenes();
    },
  },
];
