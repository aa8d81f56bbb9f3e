import { forwardLaunchFailed } from '#operations/forward-events.ts';
import type { GroupOwner } from '#ports/group-owners.ts';
import type { LaunchFailure } from '#ports/hints.ts';
import { PortError } from '#ports/port-error.ts';
import type { Arrangement, Ending, Message, Stage } from '../stage.ts';

const group = { account: '123456789012', name: 'workers-a' };

/** The event of a failed launch, for a group with these owners; a hint told twice is one look more, no harm. */
const eventFor = (owners: readonly GroupOwner[]): Stage => {
  let nowMs = 0;
  const told = new Set<string>();
  const ports = {
    owners: { ownersOf: async () => owners },
    hints: {
      launchFailed: async ({ cluster, network, group: name }: LaunchFailure) => {
        told.add(`${cluster} ${network} ${name}`);
      },
    },
  };
  let buried = false;
  const event: Message = {
    what: 'launch failed',
    deliver: async (through) => {
      const ending = await endingOf(() => forwardLaunchFailed(through(ports), group));
      buried = ending === 'refused';
      return ending;
    },
  };
  return {
    ports,
    nowMs: () => nowMs,
    elapse: async (seconds) => {
      nowMs += seconds * 1000;
    },
    first: event,
    // A person retries what is among the dead letters; nothing else finds a hint that is lost here.
    sweep: {
      what: 'dead letters retried',
      deliver: async (through) => (buried ? event.deliver(through) : 'done'),
    },
    messagesIn: () => [],
    state: async () => ({ told: [...told].toSorted() }),
    close: async () => {},
  };
};

const endingOf = async (forward: () => Promise<unknown>): Promise<Ending> => {
  try {
    await forward();
    return 'done';
  } catch (thrown) {
    return thrown instanceof PortError && !thrown.retryable ? 'refused' : 'again';
  }
};

const shop: GroupOwner = { cluster: 'shop', network: 'main' };

export const forwardedEvents: readonly Arrangement[] = [
  {
    name: 'owned',
    about: 'one cluster has the group',
    settled: { told: ['shop main workers-a'] },
    stage: async () => eventFor([shop]),
  },
  {
    name: 'shared',
    about: 'two clusters claim the group',
    settled: { told: ['crate side workers-a', 'shop main workers-a'] },
    stage: async () => eventFor([shop, { cluster: 'crate', network: 'side' }]),
  },
  {
    name: 'unowned',
    about: 'the group is nobody’s',
    settled: { told: [] },
    stage: async () => eventFor([]),
  },
];
