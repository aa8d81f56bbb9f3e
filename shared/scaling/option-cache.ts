import { type Trials, withShare } from '#scheduling/trials.ts';
import { type ExpansionOption, expansionOption } from './expansion-option.ts';
import type { GroupState } from './group-state.ts';
import type { Demand } from './placement.ts';

export interface OptionQuestion {
  /** Pods without a place. */
  readonly homeless: readonly Demand[];
  /** Nodes added so far, by group. */
  readonly added: ReadonlyMap<string, number>;
  readonly trials: Trials;
}

/** Whether an empty node of the group takes a class, by the class's rank. */
type Suits = (demand: Demand) => boolean;

const suitsOf = (state: GroupState): Suits => {
  const known: boolean[] = [];
  return ({ podClass: { rank, sample } }) => {
    const answer = known[rank] ?? state.takesWhenEmpty(sample);
    known[rank] = answer;
    return answer;
  };
};

interface KnownOption {
  readonly limit: number;
  readonly demands: readonly Demand[];
  readonly option: ExpansionOption | undefined;
}

/**
 * Options of all groups; one is worked out anew only where the pods it could help have changed. Each
 * group has the same share of a quarter of the trials, so that the rest suffices to place its pods.
 */
export const optionCache = (
  groups: readonly GroupState[],
): ((question: OptionQuestion) => readonly ExpansionOption[]) => {
  const known = new Map<string, KnownOption>();
  const all = groups.map((state) => ({ state, suits: suitsOf(state) }));
  return ({ homeless, added, trials }) =>
    withShare(trials, 4, (round) => {
      const options: ExpansionOption[] = [];
      for (const [index, { state, suits }] of all.entries()) {
        const limit = state.headroom - (added.get(state.group.name) ?? 0);
        if (limit <= 0) continue;
        round.left -= homeless.length;
        const demands = homeless.filter(suits);
        if (demands.length === 0) continue;
        const before = known.get(state.group.name);
        const option =
          before?.limit === limit && areSame(before.demands, demands)
            ? before.option
            : withShare(round, groups.length - index, (within) =>
                expansionOption(state, demands, { limit, trials: within }),
              );
        known.set(state.group.name, { limit, demands, option });
        if (option !== undefined) options.push(option);
      }
      return options;
    });
};

const areSame = (before: readonly Demand[], now: readonly Demand[]): boolean =>
  before.length === now.length &&
  now.every(({ podClass, pods }, index) => {
    const other = before[index];
    return other?.podClass === podClass && other.pods.length === pods.length;
  });
