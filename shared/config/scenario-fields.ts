import * as z from 'zod';
import type { SchedulingConstraints } from '#cluster/constraints.ts';
import type { Span } from '#world/spec.ts';
import { amounts, durationSeconds } from './fields.ts';
import { section } from './schema-problems.ts';

/** Text that is shown as it stands: no control characters. */
export const line = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}]*$/u, { error: 'has control characters: leave them out' });

const dnsLabel = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';

/** `name` or `namespace/name`; the namespace is `default` where none is given. */
export const namespacedName = z
  .string()
  .regex(new RegExp(`^(?:${dnsLabel}/)?${dnsLabel}$`), {
    error: 'write name or namespace/name, in lower-case letters, digits and hyphens',
  })
  .transform((text) => {
    const [first = '', second] = text.split('/');
    return second === undefined
      ? { namespace: 'default', name: first }
      : { namespace: first, name: second };
  });

export const milliseconds = durationSeconds.transform((seconds) => seconds * 1000);

/** `20s`, or `{ from: 20s, to: 40s }` to draw evenly between the two. */
export const span = z
  .union(
    [
      milliseconds,
      section({ from: milliseconds, to: milliseconds }).refine(({ from, to }) => from <= to, {
        path: ['to'],
        error: 'is shorter than from: swap the two',
      }),
    ],
    { error: 'write a duration such as 20s, or from: 20s and to: 40s' },
  )
  .transform(
    (given): Span =>
      typeof given === 'number'
        ? { fromMs: given, toMs: given }
        : { fromMs: given.from, toMs: given.to },
  );

export const spanOf = (fromSeconds: number, toSeconds: number): Span => ({
  fromMs: fromSeconds * 1000,
  toMs: toSeconds * 1000,
});

const requirement = section({
  key: line(317),
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']),
  values: z.array(line(63)).max(100).default([]),
});

const toleration = section({
  key: line(317).optional(),
  operator: z.enum(['Exists', 'Equal', 'Gt', 'Lt']).default('Equal'),
  value: z.string().max(63).optional(),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).optional(),
}).refine((given) => given.key !== undefined || given.operator === 'Exists', {
  path: ['operator'],
  error: 'a toleration without a key needs operator: Exists',
});

/** What pods demand, in the words of a pod's spec. */
export const constraintsShape = {
  requests: amounts.default({}),
  nodeSelector: z.record(line(317), line(63)).default({}),
  /** The required node selector terms, each a list of expressions. */
  nodeAffinity: z.array(z.array(requirement).min(1).max(50)).min(1).max(50).optional(),
  tolerations: z.array(toleration).max(50).default([]),
  hostPorts: z.array(z.int().min(1).max(65_535)).max(50).default([]),
} as const;

const constraintsObject = z.object(constraintsShape);

export const constraintsOf = (given: z.infer<typeof constraintsObject>): SchedulingConstraints => ({
  requests: given.requests,
  nodeSelector: given.nodeSelector,
  ...(given.nodeAffinity === undefined
    ? {}
    : {
        requiredNodeAffinity: given.nodeAffinity.map((matchExpressions) => ({
          matchExpressions,
          matchFields: [],
        })),
      }),
  tolerations: given.tolerations.map(({ key, operator, value, effect }) => ({
    operator,
    ...(key === undefined ? {} : { key }),
    ...(value === undefined ? {} : { value }),
    ...(effect === undefined ? {} : { effect }),
  })),
  hostPorts: given.hostPorts.map((port) => ({ protocol: 'TCP', hostIp: '0.0.0.0', port })),
  notJudged: [],
});
