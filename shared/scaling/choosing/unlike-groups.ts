import { compareText } from '#cluster/order.ts';
import { getOwn } from '#cluster/own-record.ts';
import { amountIn } from '#cluster/resources.ts';
import type { ScaleUpInput } from '../decision.ts';
import { type GroupState, groupStatesOf } from '../group-state.ts';
import type { ProbedTemplate } from '../planning/node-kind.ts';
import { areSimilar, ignoredLabels } from './similar-groups.ts';

/**
 * Of every other group with the same instance types as the group named, and nodes that are not alike: in what they
 * differ, one line each, by name. Empty where nothing is balanced.
 */
export const unlikeGroups = (input: ScaleUpInput, name: string): readonly string[] => {
  const { policy } = input;
  const groups = groupStatesOf(input);
  const own = groups.find(({ group }) => group.name === name);
  if (own === undefined || policy.balanceSimilarGroups !== true) return [];
  const ignored = ignoredLabels(policy);
  return groups
    .filter((other) => other !== own && other.probed.length > 0 && typesOf(other) === typesOf(own))
    .filter((other) => !areSimilar(own, other, ignored))
    .map((other) => {
      const what = difference(own, other, ignored) ?? 'their nodes differ';
      return `${other.group.name} has the same instance types as ${name} and is not balanced with it: ${what}`;
    });
};

const typesOf = ({ probed }: GroupState): string =>
  [...new Set(probed.map(({ template }) => template.instanceType))].sort(compareText).join(' ');

/** The first of labels, taints and amounts in which nodes of one type differ. */
const difference = (
  own: GroupState,
  other: GroupState,
  ignored: ReadonlySet<string>,
): string | undefined => {
  const pairs = own.probed.flatMap((one) => {
    const like = other.probed.find(
      ({ template }) => template.instanceType === one.template.instanceType,
    );
    return like === undefined ? [] : [[one, like] as const];
  });
  for (const [one, like] of pairs) {
    const said = labelsText(one, like, ignored) ?? taintsText(one, like) ?? amountsText(one, like);
    if (said !== undefined) return said;
  }
  return undefined;
};

const labelsText = (
  { template: { node: own } }: ProbedTemplate,
  { template: { node: other } }: ProbedTemplate,
  ignored: ReadonlySet<string>,
): string | undefined => {
  const keys = [...new Set([...Object.keys(own.labels), ...Object.keys(other.labels)])]
    .filter((key) => !ignored.has(key))
    .filter((key) => getOwn(own.labels, key) !== getOwn(other.labels, key))
    .sort(compareText);
  const [key] = keys;
  if (key === undefined) return undefined;
  const text = (labels: Readonly<Record<string, string>>): string => {
    const value = getOwn(labels, key);
    return value === undefined ? `no label ${key}` : `the label ${key}=${value}`;
  };
  const more = keys.length === 1 ? '' : `, and differ in ${keys.slice(1).join(', ')}`;
  return `its nodes have ${text(other.labels)}, those ${text(own.labels)}${more}; scaling.balancingIgnoreLabels names labels that may differ`;
};

const taintsText = (
  { template: { node: own } }: ProbedTemplate,
  { template: { node: other } }: ProbedTemplate,
): string | undefined => {
  const texts = (taints: typeof own.taints) =>
    taints.map(({ key, value, effect }) => `${key}=${value}:${effect}`).sort(compareText);
  const [mine, theirs] = [texts(own.taints), texts(other.taints)];
  return mine.join() === theirs.join()
    ? undefined
    : `its nodes have ${theirs.length === 0 ? 'no taint' : theirs.join(', ')}, those ${mine.length === 0 ? 'none' : mine.join(', ')}`;
};

const amountsText = (
  { template: { node: own } }: ProbedTemplate,
  { template: { node: other } }: ProbedTemplate,
): string | undefined => {
  const names = new Set([...Object.keys(own.allocatable), ...Object.keys(other.allocatable)]);
  const differing = [...names]
    .filter((name) => amountIn(own.allocatable, name) !== amountIn(other.allocatable, name))
    .sort(compareText);
  return differing.length === 0
    ? undefined
    : `allocatable, or what DaemonSets leave of it, differs by more than 5 % (${differing.join(', ')})`;
};
