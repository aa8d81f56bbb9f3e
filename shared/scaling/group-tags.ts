import type { Taint, TaintEffect } from '#cluster/constraints.ts';
import { setOwn } from '#cluster/own-record.ts';
import type { Problem } from '#cluster/problem.ts';
import { isQuantityError, parseQuantity, resourceAmount } from '#cluster/quantity.ts';
import type { Resources } from '#cluster/resources.ts';
import type { AutoScalingGroup } from './aws-views.ts';
import { type GroupOptions, readGroupOption } from './group-options.ts';

const prefix = 'k8s.io/cluster-autoscaler/node-template/';
const labelValue = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
const effects: ReadonlySet<string> = new Set(['NoSchedule', 'PreferNoSchedule', 'NoExecute']);

/** What a group's tags say of its new nodes. */
export interface GroupTags {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** They stand above whatever is computed or learned. */
  readonly resources: Resources;
  readonly options: GroupOptions;
  readonly problems: readonly Problem[];
  /** The first tag that makes the group unusable: with an unknown taint or resource it cannot be planned. */
  readonly unusable?: Problem;
}

/**
 * Reads Cluster Autoscaler's node-template tags: `label/<key>` = value, `taint/<key>` = `value:Effect`
 * (the value may be empty), `resources/<name>` = a quantity, `autoscaling-options/<name>`. The whole
 * rest of the tag's key is the key of label, taint or resource, with its domain. A malformed taint or
 * resource makes the group unusable; a malformed label is left out, since no node could carry it.
 */
export const readGroupTags = (group: Pick<AutoScalingGroup, 'name' | 'tags'>): GroupTags => {
  const labels: Record<string, string> = {};
  const resources: Record<string, number> = {};
  let options: GroupOptions = {};
  const taints: Taint[] = [];
  const problems: Problem[] = [];
  const fatal: Problem[] = [];

  for (const tag of Object.keys(group.tags).sort()) {
    const value = group.tags[tag] ?? '';
    const { kind, key } = split(tag);
    if (kind === 'label') {
      const problem = labelProblem(group.name, tag, { key, value });
      if (problem === undefined) setOwn(labels, key, value);
      else problems.push(problem);
    } else if (kind === 'taint') {
      const taint = readTaint(key, value);
      if (taint !== undefined) taints.push(taint);
      else fatal.push(malformedTaint(group.name, tag, value));
    } else if (kind === 'resources') {
      const quantity = parseQuantity(value);
      if (key === '' || isQuantityError(quantity) || quantity.nano < 0n) {
        fatal.push(malformedResource(group.name, tag, value));
      } else {
        setOwn(resources, key, resourceAmount(key, quantity));
      }
    } else if (kind === 'autoscaling-options') {
      const read = readGroupOption({ group: group.name, tag, name: key, value });
      if ('option' in read) options = { ...options, ...read.option };
      else problems.push(read.problem);
    }
  }
  const [unusable] = fatal;
  return {
    labels,
    taints,
    resources,
    options,
    problems: [...problems, ...fatal],
    ...(unusable === undefined ? {} : { unusable }),
  };
};

const split = (tag: string): { readonly kind: string; readonly key: string } => {
  if (!tag.startsWith(prefix)) return { kind: '', key: '' };
  const rest = tag.slice(prefix.length);
  const slash = rest.indexOf('/');
  return slash < 0
    ? { kind: rest, key: '' }
    : { kind: rest.slice(0, slash), key: rest.slice(slash + 1) };
};

const isEffect = (text: string): text is TaintEffect => effects.has(text);

const readTaint = (key: string, text: string): Taint | undefined => {
  const colon = text.lastIndexOf(':');
  const value = text.slice(0, Math.max(colon, 0));
  const effect = text.slice(colon + 1);
  if (key === '' || colon < 0 || !isEffect(effect) || !labelValue.test(value)) return undefined;
  return { key, value, effect };
};

const tagField = (group: string, tag: string): string => `AutoScalingGroups[${group}].Tags[${tag}]`;

const labelProblem = (
  group: string,
  tag: string,
  label: { readonly key: string; readonly value: string },
): Problem | undefined =>
  label.key !== '' && labelValue.test(label.value)
    ? undefined
    : {
        field: tagField(group, tag),
        code: 'malformedLabelTag',
        message: `${JSON.stringify(label.value)} on tag ${tag} of group ${group} cannot be a node's label: it is left out; use ${prefix}label/<key> with at most 63 letters, digits, - _ .`,
      };

const malformedTaint = (group: string, tag: string, value: string): Problem => ({
  field: tagField(group, tag),
  code: 'malformedTaintTag',
  message: `tag ${tag} of group ${group} is ${JSON.stringify(value)}, not value:Effect; write for example true:NoSchedule, with NoSchedule, PreferNoSchedule or NoExecute`,
});

const malformedResource = (group: string, tag: string, value: string): Problem => ({
  field: tagField(group, tag),
  code: 'malformedResourceTag',
  message: `tag ${tag} of group ${group} is ${JSON.stringify(value)}, not a quantity; write for example 4, 500m or 16Gi`,
});
