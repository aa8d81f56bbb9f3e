import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { isQuantityError, parseQuantity, resourceAmount } from '#cluster/quantity.ts';
import type { Resources } from '#cluster/resources.ts';
import type { NodeOffer } from '#scheduling/packing/question.ts';
import type { StatePod } from '#scheduling/state/scheduling-state.ts';
import { createRandom } from '#world/random.ts';

/** A pod of the packing benchmark: Karpenter's own generator wrote them. */
const podRow = z.object({
  /** generic, spread:KEY, affinity:KEY or antiaffinity:KEY. */
  class: z.string(),
  label: z.string().optional(),
  sel: z.string().optional(),
  cpu_m: z.int().positive(),
  mem_mi: z.int().positive(),
});
export type PodRow = z.infer<typeof podRow>;

const typeRow = z.object({
  name: z.string(),
  allocatable: z.record(z.string(), z.string()),
  offerings: z.array(
    z.object({
      available: z.boolean(),
      capacityType: z.string(),
      price: z.number(),
      zone: z.string(),
    }),
  ),
  requirements: z.record(z.string(), z.array(z.string())),
});

const data = (name: string): string =>
  fileURLToPath(new URL(`../data/packing-benchmark/${name}`, import.meta.url));

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

const MiB = 1024 ** 2;

/** Sizes of which Karpenter's own pods are at hand; others are made in the same way. */
export const recordedSizes: readonly number[] = [1, 50, 100, 500, 1000, 5000];

export const rowsOfFile = (file: string): readonly PodRow[] => z.array(podRow).parse(read(file));

export const rowsOfSize = (size: number): readonly PodRow[] =>
  recordedSizes.includes(size) ? rowsOfFile(data(`pods-${size}.json`)) : madeRows(size);

/** Ten thousand millionths of a dollar: the benchmark's prices are whole numbers of it. */
export const pricesPerDollar = 10_000_000_000;

const amountsOf = (allocatable: Readonly<Record<string, string>>): Resources =>
  Object.fromEntries(
    Object.entries(allocatable).map(([name, text]) => {
      const quantity = parseQuantity(text);
      if (isQuantityError(quantity)) throw new Error(`${name}: ${text} is no quantity`);
      return [name, resourceAmount(name, quantity)];
    }),
  );

/** Every offering of the 400 instance types. A label of several values is one that the buyer chooses. */
export const offersOfBenchmark = (): readonly NodeOffer[] =>
  z
    .array(typeRow)
    .parse(read(data('instance-types-400.json')))
    .flatMap(({ name, allocatable, offerings, requirements }) => {
      const labels = Object.fromEntries(
        Object.entries(requirements).flatMap(([key, values]) =>
          values.length === 1 ? [[key, values[0] ?? '']] : [],
        ),
      );
      return offerings
        .filter(({ available }) => available)
        .map(({ capacityType, price, zone }) => ({
          template: {
            name,
            labels: {
              ...labels,
              'topology.kubernetes.io/zone': zone,
              'karpenter.sh/capacity-type': capacityType,
            },
            taints: [],
            unschedulable: false,
            allocatable: amountsOf(allocatable),
          },
          price: Math.round(price * pricesPerDollar),
          limit: Number.POSITIVE_INFINITY,
        }));
    });

const pair = (text: string | undefined): Readonly<Record<string, string>> => {
  const [key, value] = (text ?? '').split('=');
  return key && value !== undefined ? { [key]: value } : {};
};

/** The pods as they would be read from an API server. */
export const podsOf = (rows: readonly PodRow[]): readonly StatePod[] =>
  rows.map(({ class: kind, label, sel, cpu_m, mem_mi }, index) => {
    const [constraint, topologyKey = ''] = kind.split(':');
    const term = {
      selector: { matchLabels: pair(sel), matchExpressions: [] },
      namespaces: ['default'],
      topologyKey,
    };
    return {
      namespace: 'default',
      name: `pod-${index}`,
      uid: `uid-${index}`,
      labels: pair(label),
      requests: { cpu: cpu_m, memory: mem_mi * MiB },
      nodeSelector: {},
      tolerations: [],
      hostPorts: [],
      notJudged: [],
      ...(constraint === 'affinity' && { podAffinity: { required: [term], preferred: [] } }),
      ...(constraint === 'antiaffinity' && {
        podAntiAffinity: { required: [term], preferred: [] },
      }),
      ...(constraint === 'spread' && {
        topologySpread: [
          {
            topologyKey,
            selector: term.selector,
            maxSkew: 1,
            whenUnsatisfiable: 'DoNotSchedule' as const,
            nodeAffinityPolicy: 'Honor' as const,
            nodeTaintsPolicy: 'Ignore' as const,
          },
        ],
      }),
    };
  });

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';

/** Five classes of equally many pods, the rest generic, as Karpenter's makeDiversePods does. */
export function madeRows(size: number): readonly PodRow[] {
  const random = createRandom(42, `packing/${size}`);
  const any = <Value>(values: readonly Value[]): Value =>
    values[random.between(0, values.length - 1)] as Value;
  const letter = () => any(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  const own = (): Pick<PodRow, 'cpu_m' | 'mem_mi'> => ({
    cpu_m: any([100, 250, 500, 1000, 1500]),
    mem_mi: any([100, 256, 512, 1024, 2048, 4096]),
  });
  const spread = (key: string) => (): PodRow => ({
    class: `spread:${key}`,
    label: `my-label=${letter()}`,
    sel: `my-label=${letter()}`,
    ...own(),
  });
  const generic = (): PodRow => ({ class: 'generic', label: `my-label=${letter()}`, ...own() });
  const friendly = (): PodRow => {
    const label = `my-affininity=${letter()}`;
    return { class: `affinity:${zone}`, label, sel: label, ...own() };
  };
  const alone = (): PodRow => ({
    class: `antiaffinity:${hostname}`,
    label: 'app=nginx',
    sel: 'app=nginx',
    ...own(),
  });
  const each = Math.floor(size / 5);
  const classes = [generic, spread(zone), spread(hostname), friendly, alone];
  const rows = classes.flatMap((make) => Array.from({ length: each }, make));
  return [...rows, ...Array.from({ length: size - rows.length }, generic)];
}
