import { type StateStorage, stateStorage } from '../storage/state-storage.ts';
import { type Judge, rememberedFor, type StaticJudge } from './answers.ts';
import { type NodeList, nodeList } from './node-list.ts';
import { type OwnerTerms, ownerTerms } from './owner-terms.ts';
import { type PodGroups, podGroups } from './pod-groups.ts';
import { type PortUse, portUse } from './port-use.ts';
import { type Predicates, podPredicates } from './predicates.ts';
import { type Preferences, preferences } from './preferences.ts';
import { type ResourceRows, resourceRows } from './resource-rows.ts';
import type { StateContext } from './scheduling-state.ts';
import { type Topologies, topologies as topologiesOf } from './topologies.ts';

/** What a state keeps, as filters and scores read it. */
export interface StateTables {
  readonly nodes: NodeList;
  readonly resources: ResourceRows;
  readonly ports: PortUse;
  readonly topologies: Topologies;
  readonly predicates: Predicates;
  readonly groups: PodGroups;
  /** Anti-affinity of placed pods, which keeps others away. */
  readonly owners: OwnerTerms;
  readonly preferences: Preferences;
  readonly storage: StateStorage;
  /** The question of that name, remembered for all that ask it; made at the first. */
  shared(name: string, make: () => StaticJudge): Judge;
}

export function stateTables({ namespaces, storage }: StateContext): StateTables {
  const nodes = nodeList();
  const topologies = topologiesOf(nodes);
  const predicates = podPredicates(namespaces);
  const judges = new Map<string, Judge>();
  return {
    nodes,
    resources: resourceRows(nodes),
    ports: portUse(),
    topologies,
    predicates,
    groups: podGroups(nodes, topologies),
    owners: ownerTerms(nodes, topologies, predicates),
    preferences: preferences(nodes, topologies, predicates),
    storage: stateStorage(nodes, storage),
    shared: (name, make) => {
      let judge = judges.get(name);
      if (judge === undefined) {
        judge = rememberedFor(nodes, make());
        judges.set(name, judge);
      }
      return judge;
    },
  };
}
