import * as z from 'zod';
import {
  expanderNames,
  type GangPolicy,
  type Headroom,
  type ScalingPolicy,
} from '#scaling/policy.ts';
import { amounts, dollars } from './fields.ts';
import { section, shown } from './schema-problems.ts';

const expanderName = z.enum(expanderNames);
const labelKey = z.string().min(1).max(317);
const nodes = z.int().min(0).max(100_000);

/** Keys of `scaling` that say which group grows, and how far. */
export const choosingShape = {
  expander: z
    .union([expanderName, z.array(expanderName).min(1).max(5)], {
      error: ({ input }) =>
        `is ${shown(input)}: use ${expanderNames.join(', ')}, or a list of 1 to 5 of them`,
    })
    .optional(),
  replaysScheduler: z.boolean().optional(),
  packingTrials: z.int().min(0).max(100_000_000).optional(),
  prices: z.record(z.string().min(1), dollars).optional(),
  balanceSimilarGroups: z.boolean().optional(),
  balancingIgnoreLabels: z.array(labelKey).max(100).optional(),
  limits: section({
    nodes: nodes.optional(),
    newNodes: nodes.optional(),
    resources: amounts.optional(),
  }).optional(),
  gangs: section({
    labels: z.array(labelKey).max(20).optional(),
    minimum: z.array(labelKey).max(20).optional(),
  }).optional(),
} as const;

const choosingObject = section(choosingShape);

type GivenChoosing = z.infer<typeof choosingObject>;

/** Those of the policy's fields that are given; an expander named twice asks nothing new. */
export const choosingOf = (
  given: GivenChoosing | undefined,
  defaultGangs: GangPolicy,
): Partial<ScalingPolicy> => {
  const {
    expander,
    replaysScheduler,
    packingTrials,
    prices,
    balanceSimilarGroups,
    balancingIgnoreLabels,
    limits,
    gangs,
  } = given ?? {};
  return {
    ...(expander === undefined ? {} : { expander: [...new Set([expander].flat())] }),
    ...(replaysScheduler === undefined ? {} : { replaysScheduler }),
    ...(packingTrials === undefined ? {} : { packingTrials }),
    ...(prices === undefined ? {} : { pricesMicro: prices }),
    ...(balanceSimilarGroups === undefined ? {} : { balanceSimilarGroups }),
    ...(balancingIgnoreLabels === undefined ? {} : { balancingIgnoreLabels }),
    ...(limits === undefined ? {} : { limits: defined(limits) }),
    ...(gangs === undefined ? {} : { gangs: { ...defaultGangs, ...defined(gangs) } }),
  };
};

/** Keys of one of `groups`. */
export const groupChoosingShape = {
  maxNodes: nodes.optional(),
  headroom: section({
    nodes: z.int().min(0).max(1000).optional(),
    pods: section({ count: z.int().min(1).max(1000), requests: amounts }).optional(),
  }).optional(),
} as const;

const headroomObject = groupChoosingShape.headroom.unwrap();

export const headroomOf = (given: z.infer<typeof headroomObject>): Headroom => defined(given);

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** Without the keys that hold nothing, so that absent ones do not cover defaults. */
const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
