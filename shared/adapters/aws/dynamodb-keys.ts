import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/*
 * The one table: partition key `pk`, sort key `sk`, both strings. Everything of a cluster is one
 * partition, so that a look reads it in a call or two and one transaction can check its lease:
 *
 *   cluster#<name>  lease                     who acts on the cluster, and the fencing number
 *   cluster#<name>  group#<group>             what is remembered of a node group
 *   cluster#<name>  journal-head              what was said last
 *   cluster#<name>  decision#<generation>     summary of a decision; the rest is in S3
 */

export type Item = Record<string, AttributeValue>;

export const clusterKey = (cluster: string, sortKey: string): Item => ({
  pk: { S: `cluster#${cluster}` },
  sk: { S: sortKey },
});

export const leaseSortKey = 'lease';
export const headSortKey = 'journal-head';
export const groupPrefix = 'group#';
export const decisionPrefix = 'decision#';

/** Twelve digits, so that names sort as the numbers do. */
export const padGeneration = (generation: number): string => String(generation).padStart(12, '0');

export const text = (value: string): AttributeValue => ({ S: value });
export const number = (value: number): AttributeValue => ({ N: String(value) });

/** The string under `name`; empty where there is none. */
export const readText = (item: Item, name: string): string => item[name]?.S ?? '';
/** The number under `name`; 0 where there is none. */
export const readNumber = (item: Item, name: string): number => Number(item[name]?.N ?? 0);
