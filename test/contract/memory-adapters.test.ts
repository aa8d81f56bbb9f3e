import { memoryCapacityLedger } from '#adapters/memory/memory-capacity-ledger.ts';
import { memoryClusterApi } from '#adapters/memory/memory-cluster-api.ts';
import { memoryClusterLeases } from '#adapters/memory/memory-cluster-leases.ts';
import { memoryDeadLetters } from '#adapters/memory/memory-dead-letters.ts';
import { memoryJournal } from '#adapters/memory/memory-journal.ts';
import { memoryNodeGroups } from '#adapters/memory/memory-node-groups.ts';
import { memoryPages } from '#adapters/memory/memory-pages.ts';
import { memoryPrices } from '#adapters/memory/memory-prices.ts';
import { memoryWakeups } from '#adapters/memory/memory-wakeups.ts';
import type { Wakeup } from '#ports/wakeups.ts';
import { describeCapacityLedgerContract } from './capacity-ledger-contract.ts';
import { describeClusterApiContract } from './cluster-api-contract.ts';
import { describeClusterLeasesContract } from './cluster-leases-contract.ts';
import { describeDeadLettersContract } from './dead-letters-contract.ts';
import { describeJournalContract } from './journal-contract.ts';
import { memoryWorld } from './memory-world.ts';
import { describeNodeGroupsContract } from './node-groups-contract.ts';
import { describePagesContract } from './pages-contract.ts';
import { describeOnDemandPricesContract, describeSpotPricesContract } from './prices-contract.ts';
import { describeWakeupsContract } from './wakeups-contract.ts';

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

describePagesContract('memory', () => {
  const pages = memoryPages();
  return { pages, received: async () => pages.sent() };
});

describeWakeupsContract('memory', () => {
  const wakeups = memoryWakeups();
  let waiting: readonly Wakeup[] = [];
  let elapsed = 0;
  return {
    wakeups,
    due: async (seconds) => {
      elapsed += seconds;
      const all = [...waiting, ...wakeups.take()];
      const isDue = ({ afterSeconds }: Wakeup) => afterSeconds <= elapsed;
      waiting = all.filter((wakeup) => !isDue(wakeup));
      return all.filter(isDue).map(({ afterSeconds: _, ...wakeup }) => wakeup);
    },
  };
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

const prices = memoryPrices(
  {
    'us-east-1': {
      'm5.large': { onDemandMicro: 96_000, spotMicro: { 'us-east-1a': 35_700 } },
      'm5.xlarge': { onDemandMicro: 192_000, spotMicro: {} },
    },
    'eu-west-1': { 'm5.large': { onDemandMicro: 107_000, spotMicro: {} } },
  },
  'us-east-1',
);

describeOnDemandPricesContract('memory', () => prices.onDemandPrices);

describeSpotPricesContract('memory', () => ({ spotPrices: prices.spotPrices, sold: 'm5.large' }));
