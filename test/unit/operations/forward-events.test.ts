import { describe, expect, it } from 'vitest';
import { forwardLaunchFailed } from '#operations/forward-events.ts';
import type { GroupOwner } from '#ports/group-owners.ts';
import { PortError } from '#ports/port-error.ts';

const group = { account: '123456789012', name: 'workers-a' };

const forwarding = (owners: readonly GroupOwner[], refused: readonly string[] = []) => {
  const told: object[] = [];
  return {
    told,
    ports: {
      owners: { ownersOf: async () => owners },
      hints: {
        launchFailed: async (hint: GroupOwner & { readonly group: string }) => {
          if (refused.includes(hint.cluster)) throw new PortError('throttled', 'PutEvents');
          told.push(hint);
        },
      },
    },
  };
};

describe('forwarding a failed launch', () => {
  it('tells the cluster whose group it is, on the network of that cluster', async () => {
    const { ports, told } = forwarding([{ cluster: 'shop', network: 'main' }]);
    expect(await forwardLaunchFailed(ports, group)).toEqual({
      told: [{ cluster: 'shop', network: 'main' }],
    });
    expect(told).toEqual([{ cluster: 'shop', network: 'main', group: 'workers-a' }]);
  });

  it('tells nobody of a group that is nobody’s', async () => {
    const { ports, told } = forwarding([]);
    expect(await forwardLaunchFailed(ports, group)).toEqual({ told: [] });
    expect(told).toEqual([]);
  });

  it('fails where one cluster could not be told, so that the event comes again', async () => {
    const owners = [
      { cluster: 'shop', network: 'main' },
      { cluster: 'crate', network: 'main' },
    ];
    const { ports } = forwarding(owners, ['crate']);
    await expect(forwardLaunchFailed(ports, group)).rejects.toMatchObject({ code: 'throttled' });
  });
});
