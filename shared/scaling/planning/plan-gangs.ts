import type { PodView } from '#cluster/snapshot.ts';
import type { Gang } from '../choosing/gangs.ts';
import type { Plan, PlanQuestion } from './plan.ts';

/** A gang that cannot be placed whole, so that nothing is added for it. */
export interface RefusedGang {
  readonly gang: Gang;
  /** How many of its pods found a place beside all others. */
  readonly placed: number;
  /** Of those that found none the first one; absent where it has too few pods to begin with. */
  readonly lacking?: PodView;
  /** The plan in which it found none. */
  readonly plan: Plan;
}

export interface PlanWithGangs {
  readonly plan: Plan;
  readonly refused: readonly RefusedGang[];
}

/** So many gangs that found no place beside others are tried again without those others. */
const mostRetries = 8;

/**
 * Plans so that of each gang enough pods find a place or none is planned. Those that lack places are left out, for
 * others to have the room; then each of them is tried again, the highest priority first, and stays if it and all others
 * are whole.
 */
export const planGangs = (
  question: PlanQuestion,
  gangs: readonly Gang[],
  planWith: (question: PlanQuestion) => Plan,
): PlanWithGangs => {
  const planWithout = (out: ReadonlyMap<Gang, unknown>): Plan => {
    const left = new Set([...out.keys()].flatMap(({ waiting }) => waiting));
    return planWith({ ...question, pods: question.pods.filter((pod) => !left.has(pod)) });
  };
  const shortIn = (plan: Plan, out: ReadonlyMap<Gang, unknown>): readonly RefusedGang[] =>
    gangs.filter((gang) => !out.has(gang)).flatMap((gang) => shortOf(gang, plan) ?? []);

  const tooFew = gangs.filter(({ waiting, needed }) => waiting.length < needed);
  const out = new Map(tooFew.map((gang) => [gang, undefined as RefusedGang | undefined]));
  let plan = planWithout(out);
  for (const gang of tooFew) out.set(gang, { gang, placed: 0, plan });
  const failed: Gang[] = [];
  for (let short = shortIn(plan, out); short.length > 0; short = shortIn(plan, out)) {
    for (const one of short) out.set(one.gang, one);
    failed.push(...short.map(({ gang }) => gang));
    plan = planWithout(out);
  }
  // One alone has been tried beside all that are whole already.
  for (const gang of failed.length > 1 ? failed.slice(0, mostRetries) : []) {
    const fewer = new Map([...out].filter(([one]) => one !== gang));
    const next = planWithout(fewer);
    if (shortIn(next, fewer).length > 0) continue;
    out.delete(gang);
    plan = next;
  }
  return { plan, refused: [...out.values()].flatMap((one) => one ?? []) };
};

/** `undefined`: enough of its pods have a place. */
const shortOf = (gang: Gang, plan: Plan): RefusedGang | undefined => {
  const without = podsWithout(plan);
  const lacking = gang.waiting.filter((pod) => without.has(pod));
  const placed = gang.waiting.length - lacking.length;
  const [first] = lacking;
  return placed >= gang.needed || first === undefined
    ? undefined
    : { gang, placed, plan, lacking: first };
};

const podsWithout = ({ homeless, notLookedAt, leftOut }: Plan): ReadonlySet<PodView> =>
  new Set([...homeless.flatMap(({ pods }) => pods), ...notLookedAt, ...leftOut]);
