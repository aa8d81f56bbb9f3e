import type { GroupOwner } from '#ports/group-owners.ts';
import type { LaunchFailure } from '#ports/hints.ts';
import type { Stage } from '../stage.ts';
import { eventStage } from './event-stage.ts';

/** A group with these owners, in memory. */
export const memoryEvent = async (owners: readonly GroupOwner[]): Promise<Stage> => {
  const hints: string[] = [];
  const ports = {
    owners: { ownersOf: async () => owners },
    hints: {
      launchFailed: async ({ cluster, network, group }: LaunchFailure) => {
        hints.push(`${cluster} ${network} ${group}`);
      },
    },
  };
  return eventStage({
    group: { account: '123456789012', name: 'workers-a' },
    ports: (through) => through(ports),
    hints: async () => hints,
    close: async () => {},
  });
};
