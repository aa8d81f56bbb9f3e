import type { Dice } from './dice.ts';

/*
 * What a kubelet writes to the status of a pod on its node, as far as filters look at it.
 */

const endings = ['Running', 'Running', 'Running', 'Succeeded', 'Failed'] as const;

const amounts = (dice: Dice): Record<string, string> => ({
  ...dice.maybe(80, () => ({ cpu: dice.of(['100m', '1', '2500m', '0']) })),
  ...dice.maybe(80, () => ({ memory: dice.of(['64Mi', '2Gi', '0']) })),
});

/** A container that was resized in place, or is about to be. */
const resized = (dice: Dice, name: string) => ({
  name,
  image: 'example.com/image:1',
  imageID: '',
  ready: true,
  restartCount: 0,
  ...dice.maybe(70, () => ({ allocatedResources: amounts(dice) })),
  ...dice.maybe(70, () => ({ resources: { requests: amounts(dice) } })),
});

const resizing = (dice: Dice, { containers, initContainers }: ContainerNames) => ({
  containerStatuses: containers.map(({ name }) => resized(dice, name)),
  ...(initContainers === undefined
    ? {}
    : { initContainerStatuses: initContainers.map(({ name }) => resized(dice, name)) }),
  ...dice.maybe(50, () => ({
    conditions: [
      { type: 'PodResizePending', status: 'True', reason: dice.of(['Infeasible', 'Deferred']) },
    ],
  })),
  ...dice.maybe(25, () => ({
    resources: { requests: amounts(dice) },
    ...dice.maybe(70, () => ({ allocatedResources: amounts(dice) })),
  })),
});

/** The containers of a pod's spec. */
export interface ContainerNames {
  readonly containers: readonly { readonly name: string }[];
  readonly initContainers?: readonly { readonly name: string }[];
}

/** The status of a pod on a node; nothing of one whose kubelet has not told yet. */
export const podStatus = (dice: Dice, names: ContainerNames): { readonly status?: unknown } => {
  if (dice.chance(55)) return {};
  const phase = dice.of(endings);
  return { status: { phase, ...dice.maybe(35, () => resizing(dice, names)) } };
};
