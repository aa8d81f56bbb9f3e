import { getOwn } from '#cluster/own-record.ts';
import { podKey } from '#cluster/snapshot.ts';
import type { NodeTemplate } from '../node.ts';
import type { NodeIndices } from './answers.ts';
import type { StatePod } from './scheduling-state.ts';

export const hostnameLabel = 'kubernetes.io/hostname';

interface Kind {
  readonly number: number;
  /** Numbers of the nodes that were named apart, by name. */
  readonly named: Map<string, number>;
}

/** The nodes of a state, by position, with the pods on them. */
export interface NodeList extends NodeIndices {
  readonly count: number;
  /** What the node was made from: its labels but for its own hostname. */
  templateOf(node: number): NodeTemplate;
  nameOf(node: number): string;
  /** The node under its own name. */
  at(node: number): NodeTemplate;
  /** Its hostname label counts under its own name. */
  label(node: number, key: string): string | undefined;
  podsOn(node: number): StatePod[];
  /** A number that no node had before, and a new one with each pod that comes or goes. */
  versionOf(node: number): number;
  touch(node: number): void;
  /** Takes the pod off the node's list; it is an error where it is not on it. */
  takePod(pod: StatePod, node: number): void;
  add(template: NodeTemplate, name?: string): number;
  /** It is an error where pods are on it, or where there is no such node. */
  checkEmpty(node: number): void;
  removeNewest(): void;
}

const named = (template: NodeTemplate, name: string): NodeTemplate => ({
  ...template,
  name,
  labels: { ...template.labels, [hostnameLabel]: name },
});

export function nodeList(): NodeList {
  const templates: NodeTemplate[] = [];
  const names: (string | undefined)[] = [];
  const views: (NodeTemplate | undefined)[] = [];
  const pods: StatePod[][] = [];
  const kindNumbers: number[] = [];
  const identities: number[] = [];
  const kinds = new Map<NodeTemplate, Kind>();
  const versions: number[] = [];
  let identityCount = 0;
  let changes = 0;

  const kindOf = (template: NodeTemplate): Kind => {
    let kind = kinds.get(template);
    if (kind === undefined) {
      kind = { number: kinds.size, named: new Map() };
      kinds.set(template, kind);
    }
    return kind;
  };
  const identityOf = (kind: Kind, name: string): number => {
    let identity = kind.named.get(name);
    if (identity === undefined) {
      identity = identityCount;
      identityCount += 1;
      kind.named.set(name, identity);
    }
    return identity;
  };
  const templateOf = (node: number): NodeTemplate => {
    const template = templates[node];
    if (template === undefined) throw new RangeError(`the state has no node ${node}`);
    return template;
  };

  return {
    get count() {
      return templates.length;
    },
    kindOf: (node) => kindNumbers[node] ?? 0,
    identityOf: (node) => identities[node] ?? 0,
    templateOf,
    nameOf: (node) => names[node] ?? templateOf(node).name,
    at: (node) => {
      const template = templateOf(node);
      const name = names[node];
      if (name === undefined) return template;
      views[node] ??= named(template, name);
      return views[node];
    },
    label: (node, key) => {
      const name = key === hostnameLabel ? names[node] : undefined;
      return name ?? getOwn(templateOf(node).labels, key);
    },
    podsOn: (node) => pods[node] ?? [],
    versionOf: (node) => versions[node] ?? 0,
    touch: (node) => {
      changes += 1;
      versions[node] = changes;
    },
    add: (template, name) => {
      const kind = kindOf(template);
      templates.push(template);
      names.push(name);
      views.push(undefined);
      pods.push([]);
      changes += 1;
      versions.push(changes);
      kindNumbers.push(kind.number);
      identities.push(identityOf(kind, name ?? template.name));
      return templates.length - 1;
    },
    takePod: (pod, node) => {
      const list = pods[node] ?? [];
      const index = list.lastIndexOf(pod);
      if (index < 0) throw new Error(`the pod ${podKey(pod)} is not on node ${node} of the state`);
      list.splice(index, 1);
    },
    checkEmpty: (node) => {
      templateOf(node);
      if ((pods[node]?.length ?? 0) > 0) throw new Error(`node ${node} still has pods on it`);
    },
    removeNewest: () => {
      for (const list of [templates, names, views, pods, kindNumbers, identities, versions])
        list.pop();
    },
  };
}
