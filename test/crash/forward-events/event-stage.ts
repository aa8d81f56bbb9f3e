import { type ForwardPorts, forwardLaunchFailed } from '#operations/forward-events.ts';
import type { GroupName, GroupOwner } from '#ports/group-owners.ts';
import { PortError } from '#ports/port-error.ts';
import type { Arrangement, Ending, Message, Stage, State, Through } from '../stage.ts';
import { told } from '../told.ts';

/** Where a group's event ends up: the clusters that own it, and the bus with the queues behind it. */
export interface ForwardWorld {
  readonly group: GroupName;
  /** For one invocation. */
  ports(through: Through): ForwardPorts;
  /** All hints so far, with the network in which each arrived. */
  hints(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The event of a failed launch; a hint told twice is one look more, no harm. */
export const eventStage = ({ group, ports, hints, close }: ForwardWorld): Stage => {
  let nowMs = 0;
  let buried = false;
  const event: Message = {
    what: 'launch failed',
    deliver: async (through) => {
      const ending = await endingOf(() => forwardLaunchFailed(ports(through), group));
      buried = ending === 'refused';
      return ending;
    },
  };
  return {
    ports: ports((untouched) => untouched),
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
    state: async () => {
      const { once, doubled } = told(await hints());
      return { told: once, doubled };
    },
    close,
  };
};

/** As the function does with the message that called. */
const endingOf = async (forward: () => Promise<unknown>): Promise<Ending> => {
  try {
    await forward();
    return 'done';
  } catch (thrown) {
    return thrown instanceof PortError && !thrown.retryable ? 'refused' : 'again';
  }
};

const endsWith = (...hints: readonly string[]): State => ({ told: hints, doubled: 0 });
const shop: GroupOwner = { cluster: 'shop', network: 'main' };
const crate: GroupOwner = { cluster: 'crate', network: 'side' };

/** What the account may find; the group is called `workers-a`. */
export const forwardedEvents = (
  stageFor: (owners: readonly GroupOwner[]) => Promise<Stage>,
): readonly Arrangement[] => [
  {
    name: 'owned',
    about: 'one cluster has the group',
    settled: endsWith('shop main workers-a'),
    stage: () => stageFor([shop]),
  },
  {
    name: 'shared',
    about: 'two clusters claim the group',
    settled: endsWith('crate side workers-a', 'shop main workers-a'),
    stage: () => stageFor([shop, crate]),
  },
  {
    name: 'unowned',
    about: 'the group is nobody’s',
    settled: endsWith(),
    stage: () => stageFor([]),
  },
];
