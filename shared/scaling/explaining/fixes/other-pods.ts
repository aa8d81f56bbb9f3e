import type {
  PodAffinity,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from '#cluster/constraints.ts';
import { getOwn } from '#cluster/own-record.ts';
import type { PodView } from '#cluster/snapshot.ts';
import { changePods, podPatch } from '../change-input.ts';
import { nearestTo } from '../edit-distance.ts';
import type { Change } from '../explanation.ts';
import { beyondRepair, type Fixer } from '../fault.ts';
import type { Look } from '../look.ts';
import type { Site } from '../sites.ts';
import type { YamlValue } from '../yaml.ts';

/** Above any slip of the pen and any step of maxSkew. */
const softSize = 1000;

const mostSkew = 10;

const isHard = ({ whenUnsatisfiable }: TopologySpreadConstraint): boolean =>
  whenUnsatisfiable === 'DoNotSchedule';

const spreadYaml = (one: TopologySpreadConstraint): YamlValue => ({
  topologyKey: one.topologyKey,
  maxSkew: one.maxSkew,
  whenUnsatisfiable: one.whenUnsatisfiable,
  minDomains: one.minDomains,
  labelSelector: one.selector && selectorYaml(one.selector),
});

const selectorYaml = (selector: NonNullable<PodAffinityTerm['selector']>): YamlValue => ({
  ...(Object.keys(selector.matchLabels).length === 0 ? {} : { matchLabels: selector.matchLabels }),
  ...(selector.matchExpressions.length === 0
    ? {}
    : { matchExpressions: selector.matchExpressions.map((one) => ({ ...one })) }),
});

type SpreadChange = (one: TopologySpreadConstraint) => TopologySpreadConstraint;

const withSpread = (pod: PodView, change: SpreadChange): PodView => ({
  ...pod,
  topologySpread: (pod.topologySpread ?? []).map((one) => (isHard(one) ? change(one) : one)),
});

const spreadChange = (
  { pod }: Look,
  change: SpreadChange,
  told: Pick<Change, 'message' | 'size'>,
): Change => ({
  kind: 'topologySpread',
  ...told,
  patch: podPatch(pod, {
    topologySpreadConstraints: (withSpread(pod, change).topologySpread ?? []).map(spreadYaml),
  }),
  apply: (input) => changePods(input, pod, (one) => withSpread(one, change)),
});

const skewOf =
  (maxSkew: number): SpreadChange =>
  (one) => ({ ...one, maxSkew: Math.max(one.maxSkew, maxSkew) });

/** The least skew that lets the pod on the site; there is none where the node lacks the label. */
const leastSkew = (site: Site, { pod }: Look): number | undefined => {
  const start = Math.min(...(pod.topologySpread ?? []).filter(isHard).map((one) => one.maxSkew));
  for (let skew = start + 1; skew <= start + mostSkew; skew += 1) {
    if (!site.refusals(withSpread(pod, skewOf(skew))).has('topologySpread')) return skew;
  }
  return undefined;
};

/** A larger skew, or a spread that weighs and does not refuse. */
export const fixSpread: Fixer = (site, look) => {
  const skew = leastSkew(site, look);
  const larger =
    skew === undefined
      ? []
      : [spreadChange(look, skewOf(skew), { message: `allow a maxSkew of ${skew}`, size: skew })];
  const soft = spreadChange(look, (one) => ({ ...one, whenUnsatisfiable: 'ScheduleAnyway' }), {
    message: 'spread it as far as it goes (whenUnsatisfiable: ScheduleAnyway)',
    size: softSize,
  });
  return [{ fixes: [...larger, soft] }];
};

type Terms = 'podAffinity' | 'podAntiAffinity';

const none: PodAffinity = { required: [], preferred: [] };

/** Weighs as much as a term can, and refuses nothing. */
const preferring = (before: PodAffinity = none): PodAffinity => ({
  required: [],
  preferred: [...before.preferred, ...before.required.map((term) => ({ weight: 100, term }))],
});

const termYaml = (
  { topologyKey, selector, namespaces }: PodAffinityTerm,
  own: string,
): YamlValue => ({
  topologyKey,
  ...(selector === undefined ? {} : { labelSelector: selectorYaml(selector) }),
  ...(namespaces.length === 1 && namespaces[0] === own ? {} : { namespaces }),
});

const affinityPatch = (pod: PodView, kind: Terms, { required, preferred }: PodAffinity): string =>
  podPatch(pod, {
    affinity: {
      [kind]: {
        requiredDuringSchedulingIgnoredDuringExecution:
          required.length === 0 ? null : required.map((term) => termYaml(term, pod.namespace)),
        ...(preferred.length === 0
          ? {}
          : {
              preferredDuringSchedulingIgnoredDuringExecution: preferred.map(
                ({ weight, term }) => ({
                  weight,
                  podAffinityTerm: termYaml(term, pod.namespace),
                }),
              ),
            }),
      },
    },
  });

const affinityChange = (
  { pod }: Look,
  kind: Terms,
  {
    change,
    ...told
  }: Pick<Change, 'message' | 'size'> & {
    readonly change: (before: PodAffinity | undefined) => PodAffinity;
  },
): Change => ({
  kind,
  ...told,
  patch: affinityPatch(pod, kind, change(pod[kind])),
  apply: (input) => changePods(input, pod, (one) => ({ ...one, [kind]: change(one[kind]) })),
});

const soften = (look: Look, kind: Terms): Change =>
  affinityChange(look, kind, {
    message:
      kind === 'podAffinity'
        ? 'prefer the other pods instead of requiring them'
        : 'prefer to keep away from the other pods instead of requiring it',
    size: softSize,
    change: preferring,
  });

/** A label that no pod has where one has almost the same. */
const labelsMeant = (look: Look): readonly Change[] => {
  const { pod, input } = look;
  const { pods } = input.snapshot;
  const pairs = (pod.podAffinity?.required ?? []).flatMap(({ selector }) =>
    Object.entries(selector?.matchLabels ?? {}),
  );
  return pairs
    .filter(([key, value]) => !pods.some(({ labels }) => getOwn(labels, key) === value))
    .flatMap(([key, value]) => {
      const values = pods.flatMap(({ labels }) => getOwn(labels, key) ?? []);
      return nearestTo(value, values).map(({ text, distance }) =>
        affinityChange(look, 'podAffinity', {
          message: `let the pod affinity want pods with ${key}=${text} instead of ${key}=${value}, which no pod has`,
          size: distance,
          change: (before = none) => ({
            ...before,
            required: before.required.map((term) => withLabel(term, { key, value, text })),
          }),
        }),
      );
    });
};

const withLabel = (
  term: PodAffinityTerm,
  { key, value, text }: { readonly key: string; readonly value: string; readonly text: string },
): PodAffinityTerm => {
  const { selector } = term;
  if (selector === undefined || getOwn(selector.matchLabels, key) !== value) return term;
  const matchLabels = Object.fromEntries(
    Object.entries(selector.matchLabels).map(([name, one]) => [name, name === key ? text : one]),
  );
  return { ...term, selector: { ...selector, matchLabels } };
};

export const fixAffinity: Fixer = (_site, look) => [
  { fixes: [...labelsMeant(look), soften(look, 'podAffinity')] },
];

/** Only the pod's own: what others demand is theirs. */
export const fixAntiAffinity: Fixer = (_site, look) =>
  (look.pod.podAntiAffinity?.required.length ?? 0) === 0
    ? beyondRepair
    : [{ fixes: [soften(look, 'podAntiAffinity')] }];

/** Without host ports. */
export const fixHostPorts: Fixer = (_site, { pod }) => {
  const ports = [...new Set(pod.hostPorts.map(({ port }) => port))].sort((a, b) => a - b);
  return [
    {
      fixes: [
        {
          kind: 'hostPort',
          message: `give up the host port ${ports.join(', ')}`,
          note: 'a Service of type NodePort reaches its pods on every node',
          patch: podPatch(pod, {
            containers: [
              { ports: pod.hostPorts.map(({ port }) => ({ containerPort: port, hostPort: null })) },
            ],
          }),
          size: ports.length,
          apply: (input) => changePods(input, pod, (one) => ({ ...one, hostPorts: [] })),
        },
      ],
    },
  ];
};
