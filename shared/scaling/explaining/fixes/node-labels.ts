import { getOwn } from '#cluster/own-record.ts';
import { changeGroup, changePods, groupPatch, podPatch } from '../change-input.ts';
import { nearestTo } from '../edit-distance.ts';
import type { Change } from '../explanation.ts';
import { beyondRepair, type Fault, type Fixer } from '../fault.ts';
import type { Look } from '../look.ts';
import type { Site } from '../sites.ts';
import { zoneLabels } from '../zones-wanted.ts';
import { inZone } from './zones.ts';

/** To take something away changes more than any slip of the pen that is put right. */
const dropSize = 1000;

/** The value that every node there will have. */
export const valueAt = ({ templates }: Site, key: string): string | undefined => {
  const [first, ...others] = templates.map(({ labels }) => getOwn(labels, key));
  return others.every((value) => value === first) ? first : undefined;
};

/** Keys whose value every node there will have is this. */
const keysWith = (site: Site, value: string): readonly string[] =>
  Object.keys(site.templates[0]?.labels ?? {}).filter((key) => valueAt(site, key) === value);

const lastPart = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/** Set by Kubernetes and its providers: a tag that says otherwise would be wrong. */
const isOfKubernetes = (key: string): boolean => /(?:^|\.)(?:kubernetes|k8s)\.io\//.test(key);

/** A label of the user's own that neither a node nor a template has. */
export const isUntold = (key: string, { input, context }: Look): boolean =>
  !isOfKubernetes(key) &&
  !input.snapshot.nodes.some(({ labels }) => Object.hasOwn(labels, key)) &&
  !context.groups.some(({ probed }) =>
    probed.some(({ template }) => Object.hasOwn(template.node.labels, key)),
  );

const tagPrefix = 'k8s.io/cluster-autoscaler/node-template';

/** Tags the group with what its nodes have and no tag tells of. */
export const tagGroup = (
  { name }: Site,
  tag: { readonly kind: 'label' | 'resource'; readonly key: string; readonly value: string },
): Change => {
  const { kind, value } = tag;
  const key = `${tagPrefix}/${kind === 'label' ? 'label' : 'resources'}/${tag.key}`;
  return {
    kind,
    message: `tag the group ${name} ${key}=${value}`,
    note: `only if new nodes of ${name} have it, which nothing tells of them`,
    patch: groupPatch(name, { Tags: [{ Key: key, Value: value, PropagateAtLaunch: true }] }),
    size: 0,
    apply: (input) =>
      changeGroup(input, name, (group) => [{ ...group, tags: { ...group.tags, [key]: value } }]),
  };
};

interface Pair {
  readonly key: string;
  readonly value: string;
}

/** One pair of the nodeSelector made another, or taken away. */
const changeSelector = (
  { pod }: Look,
  from: Pair,
  { to, size }: { readonly to?: Pair; readonly size: number },
): Change => ({
  kind: 'nodeSelector',
  message:
    to === undefined
      ? `drop the nodeSelector ${from.key}=${from.value}`
      : `select ${to.key}=${to.value} instead of ${from.key}=${from.value}`,
  patch: podPatch(pod, {
    nodeSelector: {
      ...(to?.key === from.key ? {} : { [from.key]: null }),
      ...(to === undefined ? {} : { [to.key]: to.value }),
    },
  }),
  size,
  apply: (input) =>
    changePods(input, pod, (one) => ({
      ...one,
      nodeSelector: Object.fromEntries([
        ...Object.entries(one.nodeSelector).filter(([key]) => key !== from.key),
        ...(to === undefined ? [] : [[to.key, to.value] as const]),
      ]),
    })),
});

/** The pair that may have been meant: the value that nodes there have, or another key with this value. */
const meant = (site: Site, look: Look, pair: Pair): readonly Change[] => {
  const { key, value } = pair;
  const actual = valueAt(site, key);
  const values = nearestTo(value, actual === undefined ? [] : [actual]);
  const others = keysWith(site, value);
  const near = nearestTo(key, others);
  const alike = others
    .filter(
      (other) => lastPart(other) === lastPart(key) && !near.some(({ text }) => text === other),
    )
    .map((text) => ({ text, distance: lastPart(key).length }));
  return [
    ...values.map(({ text, distance }) =>
      changeSelector(look, pair, { to: { key, value: text }, size: distance }),
    ),
    ...[...near, ...alike].map(({ text, distance }) =>
      changeSelector(look, pair, { to: { key: text, value }, size: distance }),
    ),
  ];
};

const faultOf = (site: Site, look: Look, pair: Pair): Fault => {
  const { key, value } = pair;
  const untold =
    site.group !== undefined && isUntold(key, look)
      ? [tagGroup(site, { kind: 'label', key, value })]
      : [];
  return {
    fixes: [
      ...meant(site, look, pair),
      ...untold,
      ...(zoneLabels.includes(key) ? inZone(site, value) : []),
      changeSelector(look, pair, { size: dropSize }),
    ],
  };
};

/** Each pair of the nodeSelector that nodes there will not have. */
export const fixNodeSelector: Fixer = (site, look) => {
  const faults = Object.entries(look.pod.nodeSelector)
    .filter(([key, value]) => site.templates.some(({ labels }) => getOwn(labels, key) !== value))
    .map(([key, value]) => faultOf(site, look, { key, value }));
  return faults.length === 0 ? beyondRepair : faults;
};
