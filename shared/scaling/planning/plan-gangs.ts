import type { PodView } from '#cluster/snapshot.ts';
import { withShare } from '#scheduling/trials.ts';
import type { Gang } from '../choosing/gangs.ts';
import type { Plan, PlanQuestion } from './plan.ts';

/** A gang that cannot be placed whole, so that nothing is added for it. */
export interface RefusedGang {
  readonly gang: Gang;
  /** How many of its pods found a place beside all others. */
  readonly placed: number;
  /** Of those that found none the first one; absent where it has too few pods, or too few were looked at. */
  readonly lacking?: PodView;
  /** The trials of the decision did not suffice to look at all of its pods. */
  readonly cutShort: boolean;
  /** The plan in which it found none. */
  readonly plan: Plan;
}

export interface PlanWithGangs {
  readonly plan: Plan;
  readonly refused: readonly RefusedGang[];
}

/** So often those that lack places are left out, until none does; then all gangs are: pods displace one another. */
const mostRounds = 4;

/** So many gangs that found no place beside others are tried again without those others. */
const mostRetries = 8;

type LeftOut = Map<Gang, RefusedGang | undefined>;

/**
 * Plans so that of each gang enough pods find a place or none is planned. Those that lack places are left out, for
 * others to have the room; then each of them is tried again, the highest priority first, and stays if it and all others
 * are whole.
 *
 * The trials bound the work: each plan has half of what those before have left, and a gang is tried again only
 * where they suffice for one more plan like the last. A plan that they cut short replaces none that they did not.
 */
export const planGangs = (
  question: PlanQuestion,
  gangs: readonly Gang[],
  planWith: (question: PlanQuestion) => Plan,
): PlanWithGangs => {
  if (gangs.length === 0) return { plan: planWith(question), refused: [] };
  const { trials } = question;
  const planWithout = (out: LeftOut): Plan => {
    const left = new Set([...out.keys()].flatMap(({ waiting }) => waiting));
    const pods = question.pods.filter((pod) => !left.has(pod));
    return withShare(trials, 2, (within) => planWith({ ...question, pods, trials: within }));
  };

  const tooFew = gangs.filter(({ waiting, needed }) => waiting.length < needed);
  const out: LeftOut = new Map(tooFew.map((gang) => [gang, undefined]));
  const before = trials.left;
  let plan = planWithout(out);
  let spent = before - trials.left;
  for (const gang of tooFew) out.set(gang, { gang, placed: 0, plan, cutShort: false });

  const failed: Gang[] = [];
  for (let round = 1; ; round++) {
    const short = shortIn(plan, gangs, out);
    if (short.length === 0) break;
    for (const one of round < mostRounds ? short : allOf(plan, gangs, out, short)) {
      out.set(one.gang, one);
      failed.push(one.gang);
    }
    plan = planWithout(out);
  }
  // One alone has been tried beside all that are whole already.
  for (const gang of failed.length > 1 ? failed.slice(0, mostRetries) : []) {
    if (trials.left < 2 * spent) break;
    const fewer = new Map([...out].filter(([one]) => one !== gang));
    const left = trials.left;
    const next = planWithout(fewer);
    spent = left - trials.left;
    const isWorse = next.notLookedAt.length > plan.notLookedAt.length;
    if (isWorse || shortIn(next, gangs, fewer).length > 0) continue;
    out.delete(gang);
    plan = next;
  }
  return { plan, refused: [...out.values()].flatMap((one) => one ?? []) };
};

/** Gangs of the plan of which not enough pods have a place. */
const shortIn = (plan: Plan, gangs: readonly Gang[], out: LeftOut): readonly RefusedGang[] => {
  const unseen = new Set(plan.notLookedAt);
  const without = new Set([
    ...plan.homeless.flatMap(({ pods }) => pods),
    ...plan.notLookedAt,
    ...plan.leftOut,
  ]);
  return gangs
    .filter((gang) => !out.has(gang))
    .flatMap((gang) => {
      const lacking = gang.waiting.filter((pod) => without.has(pod));
      const placed = gang.waiting.length - lacking.length;
      if (placed >= gang.needed) return [];
      const first = lacking.find((pod) => !unseen.has(pod));
      const cutShort = lacking.some((pod) => unseen.has(pod));
      return [{ gang, placed, plan, cutShort, ...(first === undefined ? {} : { lacking: first }) }];
    });
};

/** Every gang that is still planned; of those that are whole it is said that they are, beside pods of others. */
const allOf = (
  plan: Plan,
  gangs: readonly Gang[],
  out: LeftOut,
  short: readonly RefusedGang[],
): readonly RefusedGang[] => {
  const known = new Map(short.map((one) => [one.gang, one]));
  return gangs
    .filter((gang) => !out.has(gang))
    .map((gang) => known.get(gang) ?? { gang, placed: gang.waiting.length, plan, cutShort: true });
};
