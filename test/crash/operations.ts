import { forwardedEvents } from './forward-events/memory-event.ts';
import { memoryScene } from './scale-up/memory-scene.ts';
import { scenes } from './scale-up/scenes.ts';
import type { Arrangement, CrashOperation, OpenWorld } from './stage.ts';
import { sweeps } from './sweep/memory-sweep.ts';

const inMemory = (arrangements: readonly Arrangement[]): OpenWorld => ({
  arrangements,
  close: async () => {},
});

/** Every operation that is made to die at each of its port calls. Listing one here is all it takes. */
export const operations: readonly CrashOperation[] = [
  {
    name: 'scale-up',
    worlds: ['memory', 'testbed'],
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
    settled: { lease: 'free', marks: 0, openIntents: [], undecided: [], untold: [], pestered: [] },
    prompt: ['changes', 'lease', 'marks', 'openIntents', 'untold', 'paged'],
    promptAfterFaults: ['changes', 'paged'],
    mayWait: ['wakeups.send'],
    varying: ['looks'],
    consistent: ['ledger.read', 'journal.head'],
    open: async (world) => {
      if (world === 'memory') {
        return inMemory(scenes.map((scene) => ({ ...scene, stage: () => memoryScene(scene) })));
      }
      const { openTestbedScenes } = await import('./scale-up/testbed-scene.ts');
      return openTestbedScenes();
    },
  },
  {
    name: 'sweep',
    worlds: ['memory'],
    calls: ['wakeups.send'],
    independent: [],
    settled: {},
    prompt: ['looks'],
    promptAfterFaults: ['looks'],
    mayWait: [],
    varying: [],
    consistent: [],
    open: async () => inMemory(sweeps),
  },
  {
    name: 'forward-events',
    worlds: ['memory'],
    calls: ['hints.launchFailed', 'owners.ownersOf'],
    independent: ['hints.launchFailed'],
    settled: {},
    prompt: ['told'],
    promptAfterFaults: ['told'],
    mayWait: [],
    varying: [],
    consistent: [],
    open: async () => inMemory(forwardedEvents),
  },
];
