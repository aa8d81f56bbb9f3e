import type { Dice } from './dice.ts';
import type { Mood } from './mood.ts';
import type { ContainerNames } from './pod-status.ts';

const amounts = (dice: Dice, plenty: number): Record<string, string> => ({
  ...dice.maybe(plenty, () => ({
    cpu: dice.of([
      '100m',
      '500m',
      '1',
      '1920m',
      '2',
      '1999m',
      '0.1',
      '1e-3',
      '0',
      '3921m',
      '1500m',
    ]),
  })),
  ...dice.maybe(plenty, () => ({
    memory: dice.of([
      '64Mi',
      '1Gi',
      '1G',
      '4Gi',
      '4294967296',
      '1e9',
      '0',
      '128974848',
      '1500M',
      '0.5Gi',
    ]),
  })),
  ...dice.maybe(15, () => ({ 'ephemeral-storage': dice.of(['1Gi', '1', '5Gi', '0', '20Gi']) })),
  // No more: beyond int64 the scheduler's own sums wrap around.
  ...dice.maybe(1, () => ({
    [dice.of(['cpu', 'memory'])]: dice.of(['1P', '900T', '1125899906842624']),
  })),
});

/** Extended resources and huge pages cannot be overcommitted: limits must be the same. */
const fixed = (dice: Dice): Record<string, string> => ({
  ...dice.maybe(8, () => ({ 'example.com/device': dice.of(['1', '2', '4', '0', '1k']) })),
  ...dice.maybe(4, () => ({ 'nvidia.com/gpu': dice.of(['1', '8']) })),
  ...dice.maybe(4, () => ({ 'hugepages-2Mi': dice.of(['2Mi', '64Mi', '66Mi']) })),
});

const resources = (dice: Dice, plenty: number): Record<string, unknown> => {
  const asked = amounts(dice, plenty);
  const exact = fixed(dice);
  // Huge pages are taken only beside cpu or memory.
  const needsCpu = 'hugepages-2Mi' in exact && asked.cpu === undefined;
  const requests = needsCpu ? { ...asked, cpu: '100m' } : asked;
  const limited = dice.chance(10) ? asked : {};
  const limits = { ...limited, ...exact };
  return {
    ...(Object.keys({ ...requests, ...exact }).length === 0
      ? {}
      : { requests: { ...requests, ...exact } }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
};

/** Each container has its own: the API server refuses a port that a pod has twice. */
const portNumbers: Readonly<Record<string, readonly number[]>> = {
  c0: [80, 443],
  c1: [8080],
  c2: [8443],
  i0: [9090],
  i1: [9091, 8081],
};

const port = (dice: Dice, number: number, onHost: boolean) => ({
  containerPort: number,
  ...(onHost || dice.chance(75) ? { hostPort: number } : {}),
  ...dice.maybe(30, () => ({ protocol: dice.of(['TCP', 'UDP', 'SCTP']) })),
  ...dice.maybe(35, () => ({ hostIP: dice.of(['0.0.0.0', '127.0.0.1', '10.0.0.1', '::', '']) })),
});

/** What all containers of a pod have alike. */
interface Habit {
  readonly plenty: number;
  readonly ports: number;
  readonly onHost: boolean;
}

const container = (dice: Dice, name: string, { plenty, ports: often, onHost }: Habit) => {
  const numbers = dice.chance(often) ? dice.some(portNumbers[name] ?? [], 80) : [];
  return {
    name,
    image: 'example.com/image:1',
    resources: resources(dice, plenty),
    ...(numbers.length === 0 ? {} : { ports: numbers.map((number) => port(dice, number, onHost)) }),
  };
};

const initContainer = (dice: Dice, name: string, habit: Habit) => ({
  ...container(dice, name, { ...habit, plenty: 45 }),
  ...dice.maybe(40, () => ({ restartPolicy: 'Always' })),
});

/** What the containers of a pod, and the pod itself, ask for. */
export const demands = (dice: Dice, mood: Mood): ContainerNames & Record<string, unknown> => {
  const onHost = dice.chance(4);
  const habit = { plenty: dice.of([0, 20, 60, 90]), ports: mood.ports, onHost };
  const containers = Array.from({ length: dice.of([1, 1, 1, 2, 3]) }, (_, index) =>
    container(dice, `c${index}`, habit),
  );
  const init = dice.chance(15)
    ? Array.from({ length: dice.between(1, 3) }, (_, index) =>
        initContainer(dice, `i${index}`, habit),
      )
    : [];
  return {
    containers,
    ...(init.length === 0 ? {} : { initContainers: init }),
    ...(onHost ? { hostNetwork: true } : {}),
    ...dice.maybe(5, () => ({ overhead: { cpu: '250m', memory: '120Mi' } })),
    ...dice.maybe(6, () => ({
      resources: {
        requests: {
          ...dice.maybe(80, () => ({ cpu: dice.of(['9', '12', '2P']) })),
          ...dice.maybe(80, () => ({ memory: dice.of(['16Gi', '64Gi', '2P']) })),
        },
      },
    })),
  };
};
