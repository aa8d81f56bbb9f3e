import type { Resources } from '#cluster/resources.ts';
import type { NodeOffer } from '#scheduling/packing/question.ts';
import type { OccupiedNode, StatePod } from '#scheduling/state/scheduling-state.ts';
import { createRandom, type Random } from '#world/random.ts';
import { madeRows, offersOfBenchmark, podsOf, pricesPerDollar } from './input.ts';
import type { PackingCase } from './pack-pods.ts';

/** The benchmark bent, one way at a time, to see that it is not only its own regularities that pack well. */
export interface Variant {
  readonly name: string;
  readonly about: string;
  /** Where plans stay further above the bound than the others. */
  readonly whyNot?: string;
  make(size: number): PackingCase;
}

const GiB = 1024 ** 3;
const MiB = 1024 ** 2;
const zones = ['test-zone-1', 'test-zone-2', 'test-zone-3'];

const around = (random: Random, value: number, percent: number): number =>
  Math.round((value * random.between(1000 - 10 * percent, 1000 + 10 * percent)) / 1000);

const withRequests = (
  pods: readonly StatePod[],
  change: (requests: Resources) => Resources,
): readonly StatePod[] => pods.map((pod) => ({ ...pod, requests: change(pod.requests) }));

const withRoom = (
  offers: readonly NodeOffer[],
  change: (allocatable: Resources) => Resources,
): readonly NodeOffer[] =>
  offers
    .map((offer) => ({
      ...offer,
      template: { ...offer.template, allocatable: change(offer.template.allocatable) },
    }))
    .filter(({ template }) => (template.allocatable['cpu'] ?? 0) > 0);

const plain = (size: number): PackingCase => ({
  pods: podsOf(madeRows(size)),
  offers: offersOfBenchmark(),
  existing: [],
});

const oddSizes = (size: number): PackingCase => {
  const random = createRandom(1, 'odd-sizes');
  const { pods, ...rest } = plain(size);
  return {
    ...rest,
    pods: withRequests(pods, ({ cpu = 0, memory = 0 }) => ({
      cpu: around(random, cpu, 30),
      memory: around(random, memory / MiB, 30) * MiB,
    })),
  };
};

const daemonSets = (size: number): PackingCase => {
  const { offers, ...rest } = plain(size);
  return {
    ...rest,
    offers: withRoom(offers, ({ cpu = 0, memory = 0, pods = 0 }) => ({
      cpu: cpu - 370,
      memory: memory - 700 * MiB,
      pods: pods - 4,
    })),
  };
};

const existingNodes = (size: number): PackingCase => {
  const random = createRandom(1, 'existing-nodes');
  const [running] = podsOf([{ class: 'generic', label: 'my-label=a', cpu_m: 1, mem_mi: 1 }]);
  const existing = Array.from({ length: Math.ceil(size / 50) }, (_, index): OccupiedNode => {
    const name = `existing-${index}`;
    const cpu = random.between(0, 7900);
    const pod = { ...running, name, uid: name, requests: { cpu, memory: cpu * 2 * MiB } };
    return {
      template: {
        name,
        labels: {
          'kubernetes.io/hostname': name,
          'topology.kubernetes.io/zone': zones[index % zones.length] ?? '',
        },
        taints: [],
        unschedulable: false,
        allocatable: { cpu: 7900, memory: 16 * GiB, pods: 80 },
      },
      pods: [pod as StatePod],
    };
  });
  return { ...plain(size), existing };
};

const unequalPrices = (size: number): PackingCase => {
  const random = createRandom(1, 'unequal-prices');
  const { offers, ...rest } = plain(size);
  return {
    ...rest,
    offers: offers.map((offer) => ({ ...offer, price: around(random, offer.price, 20) })),
  };
};

const thirdResource = (size: number): PackingCase => {
  const random = createRandom(1, 'third-resource');
  const { pods, offers, ...rest } = plain(size);
  const storage = 'ephemeral-storage';
  return {
    ...rest,
    pods: withRequests(pods, (requests) => ({
      ...requests,
      [storage]: [1, 2, 4, 8, 16][random.between(0, 4)] ?? 1,
    })),
    offers: withRoom(offers, (allocatable) => ({
      ...allocatable,
      // As scarce as CPU: on the average a pod asks for 6.2 of it and 670 milli-CPU.
      [storage]: Math.floor((allocatable['cpu'] ?? 0) / 108),
    })),
  };
};

/** Powers of two from 2 to 96 cores in three shapes: a price per core and per GiB, cheaper in one zone. */
const realShapes = (size: number): PackingCase => {
  const offers = zones.flatMap((zone, at) =>
    [2, 4, 8].flatMap((memoryPerCore) =>
      [2, 4, 8, 16, 32, 48, 64, 96].map((cores): NodeOffer => {
        const name = `shape-${memoryPerCore}-${cores}`;
        const dollars = cores * (0.03 + 0.004 * memoryPerCore) * (1 + 0.04 * at);
        return {
          template: {
            name,
            labels: { 'topology.kubernetes.io/zone': zone },
            taints: [],
            unschedulable: false,
            allocatable: {
              cpu: cores * 1000 - 60 - 5 * cores,
              memory: cores * memoryPerCore * GiB - (600 + 11 * 4 * cores) * MiB,
              pods: cores < 8 ? 29 : cores < 32 ? 58 : 234,
            },
          },
          price: Math.round(dollars * pricesPerDollar),
          limit: Number.POSITIVE_INFINITY,
        };
      }),
    ),
  );
  return { ...oddSizes(size), offers };
};

/** Small nodes dear for what they hold, large ones cheap, and none that is exactly right. */
const bulk = (size: number): PackingCase => {
  const { offers, ...rest } = oddSizes(size);
  const pods = rest.pods.filter(({ podAntiAffinity }) => podAntiAffinity === undefined);
  const some = offers.filter(({ template }) => /fake-it-(1|7|39)$/.test(template.name));
  return {
    ...rest,
    pods,
    offers: some.map((offer) => ({ ...offer, price: Math.round(offer.price ** 0.9) })),
  };
};

export const variants: readonly Variant[] = [
  { name: 'made', about: 'the benchmark as it is made for other sizes', make: plain },
  { name: 'odd-sizes', about: 'requests changed by up to 30 %', make: oddSizes },
  { name: 'daemon-sets', about: '370m, 700Mi and 4 pods of each node are taken', make: daemonSets },
  { name: 'existing-nodes', about: 'a node with room for every 50 pods', make: existingNodes },
  {
    name: 'unequal-prices',
    about: 'prices changed by up to 20 %',
    whyNot:
      'pods that spread over hosts want to be on every node alike, so that none is as its pods would need it; pods without constraints come to 1 %',
    make: unequalPrices,
  },
  { name: 'third-resource', about: 'storage as scarce as CPU', make: thirdResource },
  {
    name: 'real-shapes',
    about: 'three shapes, powers of two, odd sizes, a cheap zone',
    whyNot: 'nodes of two and four cores hold few pods each; seven times the trials come to 2 %',
    make: realShapes,
  },
  {
    name: 'bulk',
    about: 'three offers, the largest the cheapest for what it holds',
    whyNot:
      'few and large nodes, and pods that spread over hosts and zones: one in each zone is partly empty; 4,000 pods without constraints come to 1 %',
    make: bulk,
  },
];
