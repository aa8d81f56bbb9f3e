import { memoryCapacityLedger } from '#adapters/memory/memory-capacity-ledger.ts';
import { memoryClusterApi } from '#adapters/memory/memory-cluster-api.ts';
import { memoryClusterLeases } from '#adapters/memory/memory-cluster-leases.ts';
import { memoryDeadLetters } from '#adapters/memory/memory-dead-letters.ts';
import { memoryJournal } from '#adapters/memory/memory-journal.ts';
import { memoryNodeGroups } from '#adapters/memory/memory-node-groups.ts';
import { describeCapacityLedgerContract } from './capacity-ledger-contract.ts';
import { describeClusterApiContract } from './cluster-api-contract.ts';
import { describeClusterLeasesContract } from './cluster-leases-contract.ts';
import { describeDeadLettersContract } from './dead-letters-contract.ts';
import { describeJournalContract } from './journal-contract.ts';
import { memoryWorld } from './memory-world.ts';
import { describeNodeGroupsContract } from './node-groups-contract.ts';

describeClusterLeasesContract('memory', memoryClusterLeases);

describeCapacityLedgerContract('memory', () => {
  const leases = memoryClusterLeases();
  return { leases, ledger: memoryCapacityLedger(leases) };
});

describeJournalContract('memory', () => {
  const leases = memoryClusterLeases();
  return { leases, journal: memoryJournal(leases) };
});

describeDeadLettersContract('memory', () => {
  const deadLetters = memoryDeadLetters();
  return { deadLetters, letters: async () => deadLetters.letters() };
});

describeNodeGroupsContract('memory', () => ({
  nodeGroups: memoryNodeGroups(memoryWorld()),
  group: 'workers',
  instanceType: 'm5.large',
  foreign: { id: 'i-0fedcba9876543210', group: 'workers-of-other', cluster: 'other' },
}));

describeClusterApiContract('memory', () => {
  const world = memoryWorld();
  const { nodes, pods } = world.cluster();
  const pending = pods.find(({ phase }) => phase === 'Pending');
  return {
    clusterApi: memoryClusterApi(world),
    node: nodes[0]?.name ?? '',
    pending: { namespace: 'default', name: pending?.name ?? '' },
    messages: async () => world.podNotes().map(({ message }) => message),
  };
});
