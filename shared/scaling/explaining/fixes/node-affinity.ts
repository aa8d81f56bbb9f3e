import type { NodeSelectorRequirement, NodeSelectorTerm } from '#cluster/constraints.ts';
import { matchesExpression } from '#cluster/labels.ts';
import type { PodView } from '#cluster/snapshot.ts';
import { requirementText } from '#scheduling/filters/node-affinity.ts';
import { changePods, podPatch } from '../change-input.ts';
import { nearestTo } from '../edit-distance.ts';
import type { Change } from '../explanation.ts';
import { beyondRepair, type Fault, type Fixer } from '../fault.ts';
import type { Look } from '../look.ts';
import type { Site } from '../sites.ts';
import type { YamlValue } from '../yaml.ts';
import { zoneLabels } from '../zones-wanted.ts';
import { isUntold, tagGroup, valueAt } from './node-labels.ts';
import { inZone } from './zones.ts';

/** Taking an expression away changes more than putting a value right; dropping the whole, more still. */
const sizes = { expression: 1000, whole: 2000 } as const;

type Terms = readonly NodeSelectorTerm[];

const isSame = (one: NodeSelectorRequirement, other: NodeSelectorRequirement): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The terms with an expression replaced; where a term keeps nothing, nothing is demanded any more. */
const replaced = (
  terms: Terms | undefined,
  from: NodeSelectorRequirement,
  to: NodeSelectorRequirement | undefined,
): Terms | undefined => {
  const changed = terms?.map((term) => ({
    ...term,
    matchExpressions: term.matchExpressions.flatMap((one) =>
      isSame(one, from) ? (to === undefined ? [] : [to]) : [one],
    ),
  }));
  const asksNothing = changed?.some(
    ({ matchExpressions, matchFields }) => matchExpressions.length + matchFields.length === 0,
  );
  return asksNothing === true ? undefined : changed;
};

const withTerms = (pod: PodView, terms: Terms | undefined): PodView => {
  const { requiredNodeAffinity: _before, ...rest } = pod;
  return terms === undefined ? rest : { ...rest, requiredNodeAffinity: terms };
};

const expressionsOf = (list: readonly NodeSelectorRequirement[]): YamlValue | undefined =>
  list.length === 0
    ? undefined
    : list.map(({ key, operator, values }) => ({
        key,
        operator,
        ...(values.length === 0 ? {} : { values }),
      }));

const patchOf = (pod: PodView, terms: Terms | undefined): string =>
  podPatch(pod, {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution:
          terms === undefined
            ? null
            : {
                nodeSelectorTerms: terms.map(({ matchExpressions, matchFields }) => ({
                  matchExpressions: expressionsOf(matchExpressions),
                  matchFields: expressionsOf(matchFields),
                })),
              },
      },
    },
  });

const changeExpression = (
  { pod }: Look,
  from: NodeSelectorRequirement,
  { to, size }: { readonly to?: NodeSelectorRequirement; readonly size: number },
): Change => ({
  kind: 'nodeAffinity',
  message:
    to === undefined
      ? `drop ${requirementText(from)} from the required node affinity`
      : `let the required node affinity want ${requirementText(to)} instead of ${requirementText(from)}`,
  patch: patchOf(pod, replaced(pod.requiredNodeAffinity, from, to)),
  size,
  apply: (input) =>
    changePods(input, pod, (one) => withTerms(one, replaced(one.requiredNodeAffinity, from, to))),
});

const dropAll = ({ pod }: Look): Change => ({
  kind: 'nodeAffinity',
  message: 'drop the required node affinity',
  patch: patchOf(pod, undefined),
  size: sizes.whole,
  apply: (input) => changePods(input, pod, (one) => withTerms(one, undefined)),
});

const faultOf = (site: Site, look: Look, wanted: NodeSelectorRequirement): Fault => {
  const { key, operator, values } = wanted;
  const isIn = operator === 'In';
  const actual = valueAt(site, key);
  const near =
    isIn && actual !== undefined ? values.flatMap((one) => nearestTo(one, [actual])) : [];
  const [value = ''] = values;
  const tags =
    isIn && actual === undefined && site.group !== undefined && isUntold(key, look)
      ? [tagGroup(site, { kind: 'label', key, value })]
      : [];
  return {
    fixes: [
      ...near.map(({ text, distance }) =>
        changeExpression(look, wanted, { to: { ...wanted, values: [text] }, size: distance }),
      ),
      ...tags,
      ...(isIn && zoneLabels.includes(key) ? values.flatMap((zone) => inZone(site, zone)) : []),
      changeExpression(look, wanted, { size: sizes.expression }),
    ],
  };
};

/** The expressions of the term that lacks least there; the whole where that is by a node's name or has no term. */
export const fixNodeAffinity: Fixer = (site, look) => {
  const { requiredNodeAffinity: terms } = look.pod;
  if (terms === undefined) return beyondRepair;
  const unmet = terms
    .filter(({ matchFields }) => matchFields.length === 0)
    .map(({ matchExpressions }) =>
      matchExpressions.filter((one) =>
        site.templates.some(({ labels }) => !matchesExpression(one, labels)),
      ),
    )
    .filter((expressions) => expressions.length > 0)
    .sort((a, b) => a.length - b.length);
  const [least] = unmet;
  if (least === undefined) return [{ fixes: [dropAll(look)] }];
  return least.map((expression) => faultOf(site, look, expression));
};
