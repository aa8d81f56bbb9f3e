import { type Trials, withShare } from '#scheduling/trials.ts';
import type { Limits } from '../choosing/limits.ts';
import type { GroupState } from '../group-state.ts';
import { type ExpansionOption, expansionOption } from './expansion-option.ts';
import type { PlannedWorld } from './planned-world.ts';
import type { Demand } from './pod-class.ts';

export interface OptionQuestion {
  /** Pods without a place. */
  readonly homeless: readonly Demand[];
  /** Nodes added so far, by group. */
  readonly added: ReadonlyMap<string, number>;
  readonly trials: Trials;
}

export interface Options {
  readonly options: readonly ExpansionOption[];
  /** The trials did not suffice to look at every group to the end. */
  readonly cutShort: boolean;
}

/** Whether every new node of the group takes a class, by the class's rank. */
type Suits = (demand: Demand) => boolean;

const suitsOf = (state: GroupState): Suits => {
  const known: boolean[] = [];
  return ({ podClass: { rank, sample } }) => {
    const answer = known[rank] ?? state.takes(sample);
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
 * Options of all groups; one is worked out anew only where the pods it could help have changed, or where other
 * pods decide about them. Each group has the same share of a quarter of the trials, so that the rest suffices to
 * place its pods.
 */
export const optionCache = (
  groups: readonly GroupState[],
  { world, limits }: { readonly world: PlannedWorld; readonly limits: Limits },
): ((question: OptionQuestion) => Options) => {
  const known = new Map<string, KnownOption>();
  const all = groups.map((state) => ({ state, suits: suitsOf(state) }));
  return ({ homeless, added, trials }) =>
    withShare(trials, 4, (round) => {
      const options: ExpansionOption[] = [];
      let cutShort = false;
      for (const [index, { state, suits }] of all.entries()) {
        const limit = limits.roomFor(state, added);
        if (limit <= 0) continue;
        round.left -= homeless.length;
        const demands = homeless.filter(suits);
        if (demands.length === 0) continue;
        const before = known.get(state.group.name);
        const option =
          before?.limit === limit && areSame(before.demands, demands)
            ? before.option
            : withShare(round, groups.length - index, (within) => {
                const found = expansionOption(state, demands, { world, limit, trials: within });
                if (within.left <= 0) cutShort = true;
                return found;
              });
        known.set(state.group.name, { limit, demands, option });
        if (option !== undefined) options.push(option);
      }
      return { options, cutShort };
    });
};

const areSame = (before: readonly Demand[], now: readonly Demand[]): boolean =>
  before.length === now.length &&
  now.every(({ podClass, pods }, index) => {
    const other = before[index];
    return (
      other?.podClass === podClass && other.pods.length === pods.length && !isTopological(podClass)
    );
  });

const isTopological = ({ mayChange, sample }: Demand['podClass']): boolean =>
  mayChange || (sample.podAntiAffinity?.required.length ?? 0) > 0;
