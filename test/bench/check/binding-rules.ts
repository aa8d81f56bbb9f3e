import type { PodQuery } from '#cluster/constraints.ts';
import type { NodeTemplate } from '#scheduling/node.ts';
import type { OccupiedNode, StatePod } from '#scheduling/state/scheduling-state.ts';

/*
 * The rules of binding, with code of its own: nothing here asks the engine or the packer. It knows what the
 * workloads and property tests use: resources, selectors, taints, host ports, affinity, anti-affinity and
 * spread with plain selectors.
 */

export interface Place {
  readonly template: NodeTemplate;
  readonly pods: StatePod[];
  readonly used: Map<string, number>;
}

export interface Rules {
  readonly nodes: readonly Place[];
  /** Pods that a query counts, by the value of a node label. */
  readonly counts: Map<string, Count>;
  /** Anti-affinity of bound pods, by its text, and in which domains there are such pods. */
  readonly owners: Map<string, Count>;
}

interface Count {
  readonly query: PodQuery;
  readonly key: string;
  readonly domains: Map<string, number>;
}

const matches = ({ selector, namespaces }: PodQuery, pod: StatePod): boolean =>
  selector !== undefined &&
  namespaces.includes(pod.namespace) &&
  Object.entries(selector.matchLabels).every(([key, value]) => pod.labels[key] === value);

const onlyPlain = (query: PodQuery): PodQuery => {
  if (query.namespaceSelector || (query.selector?.matchExpressions.length ?? 0) > 0) {
    throw new Error('the checker knows matchLabels and named namespaces only');
  }
  return query;
};

const domainOf = (node: Place, key: string): string | undefined => node.template.labels[key];

const countOf = (rules: Rules, query: PodQuery, key: string): Count => {
  const text = JSON.stringify([query.selector, query.namespaces, key]);
  const known = rules.counts.get(text);
  if (known) return known;
  const count: Count = { query: onlyPlain(query), key, domains: new Map() };
  for (const node of rules.nodes) {
    for (const pod of node.pods) if (matches(query, pod)) add(count, node);
  }
  rules.counts.set(text, count);
  return count;
};

const add = ({ key, domains }: Count, node: Place): void => {
  const domain = domainOf(node, key);
  if (domain !== undefined) domains.set(domain, (domains.get(domain) ?? 0) + 1);
};

const amount = (record: Readonly<Record<string, number>>, name: string): number =>
  record[name] ?? 0;

export function bind(rules: Rules, pod: StatePod, node: Place): void {
  for (const count of rules.counts.values()) if (matches(count.query, pod)) add(count, node);
  for (const term of pod.podAntiAffinity?.required ?? []) {
    const text = JSON.stringify([term.selector, term.namespaces, term.topologyKey]);
    const owner = rules.owners.get(text) ?? {
      query: onlyPlain(term),
      key: term.topologyKey,
      domains: new Map<string, number>(),
    };
    rules.owners.set(text, owner);
    add(owner, node);
  }
  for (const [name, asked] of Object.entries(pod.requests)) {
    node.used.set(name, (node.used.get(name) ?? 0) + asked);
  }
  node.pods.push(pod);
}

const meetsSelector = (pod: StatePod, { template }: Place): boolean =>
  Object.entries(pod.nodeSelector).every(([key, value]) => template.labels[key] === value) &&
  (pod.requiredNodeAffinity?.some(({ matchExpressions }) =>
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== 'In') throw new Error('the checker knows node affinity with In only');
      return values.includes(template.labels[key] ?? '');
    }),
  ) ??
    true);

function roomFault(pod: StatePod, node: Place): string | undefined {
  const { allocatable } = node.template;
  if (node.pods.length + 1 > amount(allocatable, 'pods')) return 'too many pods';
  for (const [name, asked] of Object.entries(pod.requests)) {
    const free = amount(allocatable, name) - (node.used.get(name) ?? 0);
    if (asked > 0 && asked > free) return `asks ${asked} ${name} of ${free}`;
  }
  return undefined;
}

function nodeFault(pod: StatePod, node: Place): string | undefined {
  const { template, pods } = node;
  if (template.unschedulable) return 'the node is cordoned';
  if (!meetsSelector(pod, node)) return 'the selector does not match';
  for (const taint of template.taints) {
    if (taint.effect === 'PreferNoSchedule') continue;
    const tolerated = pod.tolerations.some(
      ({ key, operator, value, effect }) =>
        (key === undefined || key === taint.key) &&
        (effect === undefined || effect === taint.effect) &&
        (operator === 'Exists' || value === taint.value),
    );
    if (!tolerated) return `the taint ${taint.key} is not tolerated`;
  }
  const ports = pods.flatMap(({ hostPorts }) => hostPorts.map(({ port }) => port));
  if (pod.hostPorts.some(({ port }) => ports.includes(port))) return 'the port is taken';
  return undefined;
}

function affinityFault(pod: StatePod, node: Place, rules: Rules): string | undefined {
  for (const { query, key, domains } of rules.owners.values()) {
    if (matches(query, pod) && (domains.get(domainOf(node, key) ?? '') ?? 0) > 0) {
      return `a pod keeps it away by ${key}`;
    }
  }
  for (const term of pod.podAntiAffinity?.required ?? []) {
    const { domains } = countOf(rules, term, term.topologyKey);
    if ((domains.get(domainOf(node, term.topologyKey) ?? '') ?? 0) > 0) {
      return `it keeps away by ${term.topologyKey}`;
    }
  }
  const terms = pod.podAffinity?.required ?? [];
  const counts = terms.map((term) => countOf(rules, term, term.topologyKey));
  if (counts.some(({ key }) => domainOf(node, key) === undefined)) return 'has no such domain';
  const isFirst =
    counts.every(({ domains }) => domains.size === 0) && terms.every((term) => matches(term, pod));
  if (!isFirst && counts.some(({ key, domains }) => !domains.has(domainOf(node, key) ?? ''))) {
    return 'no pod that it wants to be with is there';
  }
  return undefined;
}

function spreadFault(pod: StatePod, node: Place, rules: Rules): string | undefined {
  for (const constraint of pod.topologySpread ?? []) {
    if (constraint.whenUnsatisfiable !== 'DoNotSchedule') continue;
    const { topologyKey: key, selector, maxSkew, minDomains = 1 } = constraint;
    const query = { namespaces: [pod.namespace], ...(selector && { selector }) };
    const { domains } = countOf(rules, query, key);
    const here = domainOf(node, key);
    if (here === undefined) return `the node has no ${key}`;
    const eligible = new Set<string>();
    for (const other of rules.nodes) {
      const domain = domainOf(other, key);
      if (domain === undefined) continue;
      if (constraint.nodeAffinityPolicy === 'Ignore' || meetsSelector(pod, other)) {
        eligible.add(domain);
      }
    }
    let fewest = Number.POSITIVE_INFINITY;
    for (const domain of eligible) fewest = Math.min(fewest, domains.get(domain) ?? 0);
    if (eligible.size < minDomains || eligible.size === 0) fewest = 0;
    const skew = (domains.get(here) ?? 0) + (matches(query, pod) ? 1 : 0) - fewest;
    if (skew > maxSkew) return `skew ${skew} by ${key}, more than ${maxSkew}`;
  }
  return undefined;
}

/** Why the pod must not be bound there now; undefined: it may be. */
export const faultOf = (pod: StatePod, node: Place, rules: Rules): string | undefined =>
  roomFault(pod, node) ??
  nodeFault(pod, node) ??
  affinityFault(pod, node, rules) ??
  spreadFault(pod, node, rules);

/** All nodes are there from the start, with the pods that run on them. */
export function rulesOf(occupied: readonly OccupiedNode[]): Rules {
  const nodes = occupied.map(({ template }): Place => ({ template, pods: [], used: new Map() }));
  const rules: Rules = { nodes, counts: new Map(), owners: new Map() };
  occupied.forEach(({ pods }, index) => {
    for (const pod of pods) bind(rules, pod, nodes[index] as Place);
  });
  return rules;
}
