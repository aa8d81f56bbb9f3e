import { letterArrangements } from './dead-letters/letters-stage.ts';
import { memoryLetterStage } from './dead-letters/memory-letters.ts';
import { forwardedEvents } from './forward-events/event-stage.ts';
import { memoryEvent } from './forward-events/memory-event.ts';
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
    noted: [],
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
    worlds: ['memory', 'testbed'],
    calls: ['wakeups.send'],
    independent: [],
    settled: {},
    prompt: ['looks'],
    promptAfterFaults: ['looks'],
    mayWait: [],
    varying: ['doubled'],
    noted: ['doubled'],
    consistent: [],
    open: async (world) => {
      if (world === 'memory') return inMemory(sweeps);
      const { openTestbedSweeps } = await import('./sweep/testbed-sweep.ts');
      return openTestbedSweeps();
    },
  },
  {
    name: 'forward-events',
    worlds: ['memory', 'testbed'],
    calls: ['hints.launchFailed', 'owners.ownersOf'],
    independent: ['hints.launchFailed'],
    settled: {},
    prompt: ['told'],
    promptAfterFaults: ['told'],
    mayWait: [],
    varying: ['doubled'],
    noted: ['doubled'],
    consistent: [],
    open: async (world) => {
      if (world === 'memory') return inMemory(forwardedEvents(memoryEvent));
      const { openTestbedEvents } = await import('./forward-events/testbed-event.ts');
      return openTestbedEvents();
    },
  },
  {
    name: 'deadletters-retry',
    worlds: ['memory', 'testbed'],
    calls: [
      'mainLetters.count',
      'mainLetters.retry',
      'mainStore.remove',
      'mainStore.sendBack',
      'mainStore.take',
      'sideLetters.count',
      'sideLetters.retry',
      'sideStore.remove',
      'sideStore.sendBack',
      'sideStore.take',
    ],
    independent: [],
    settled: { lost: [] },
    prompt: ['back', 'dead'],
    promptAfterFaults: ['back', 'dead'],
    mayWait: [],
    varying: ['doubled'],
    noted: ['doubled'],
    consistent: [],
    open: async (world) => {
      if (world === 'memory') return inMemory(letterArrangements(memoryLetterStage));
      const { openTestbedLetters } = await import('./dead-letters/testbed-letters.ts');
      return openTestbedLetters();
    },
  },
];
