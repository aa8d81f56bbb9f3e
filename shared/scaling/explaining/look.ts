import { type ClusterSnapshot, type PodView, podKey } from '#cluster/snapshot.ts';
import { type Deliberation, deliberate } from '../decide-scale-up.ts';
import type { Reason, ScaleUpInput } from '../decision.ts';
import type { StuckContext } from '../stuck-reasons.ts';
import type { Outcome, Verdict } from './explanation.ts';

/** One decision as it concerns one pod. */
export interface Look {
  readonly input: ScaleUpInput;
  readonly pod: PodView;
  readonly verdict: Verdict;
  readonly outcome?: Outcome;
  /** Of a pod that is stuck or ignored. */
  readonly reasons: readonly Reason[];
  /** The world as planned, with the pod taken off the place that was found for it. */
  readonly context: StuckContext;
}

export const podNamed = ({ pods }: ClusterSnapshot, key: string): PodView | undefined =>
  pods.find((pod) => podKey(pod) === key);

/** Decides, and looks at what became of the pod. `undefined`: it is none of those that wait for a node. */
export const lookAt = (input: ScaleUpInput, key: string): Look | undefined => {
  const pod = podNamed(input.snapshot, key);
  const deliberation = deliberate(input);
  const found = foundFor(deliberation, key);
  if (pod === undefined || found === undefined) return undefined;
  takeOff(pod, deliberation);
  const { groups, plan } = deliberation;
  const { choosing, added, world } = plan;
  const context = { groups, added, limits: choosing.limits, world };
  return { input, pod, context, ...found };
};

const foundFor = (
  { decision }: Deliberation,
  key: string,
): Pick<Look, 'verdict' | 'outcome' | 'reasons'> | undefined => {
  const raised = decision.scaleUps.find(({ pods }) => pods.includes(key));
  if (raised !== undefined) {
    return { verdict: 'scaleUp', outcome: { group: raised.group }, reasons: [] };
  }
  const fit = decision.fits.find(({ pod }) => pod === key);
  if (fit !== undefined) {
    const { node, group } = fit;
    const outcome = { node, ...(group === undefined ? {} : { group }) };
    return { verdict: 'fits', outcome, reasons: [] };
  }
  const stuck = decision.stuck.find(({ pod }) => pod === key);
  if (stuck !== undefined) return { verdict: 'stuck', reasons: stuck.reasons };
  const ignored = decision.ignored.find(({ pod }) => pod === key);
  if (ignored === undefined) return undefined;
  const { code, message } = ignored;
  return { verdict: 'ignored', reasons: [{ code, message }] };
};

/** Every node is then asked as for a pod that still waits. */
const takeOff = (pod: PodView, { plan }: Deliberation): void => {
  const { state } = plan.world;
  for (let node = 0; node < state.nodeCount; node += 1) {
    if (!state.podsOn(node).some((one) => one === pod)) continue;
    state.remove(pod, node);
    return;
  }
};
