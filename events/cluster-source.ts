import * as z from 'zod';

/*
 * What the events that come from beside a cluster have in common: a relay's, and those of an event exporter.
 * The bus lets each cluster's credentials put events of its own source only; whoever reads one holds
 * `detail.cluster` against it (`isOfOwnCluster`), since what a detail claims is not checked there.
 */

export const clusterSourcePrefix = 'outrider.cluster.';

/** The only source that a cluster's credentials may put events of. */
export const clusterSourceOf = (cluster: string): string => `${clusterSourcePrefix}${cluster}`;

export const clusterSource = z.string().startsWith(clusterSourcePrefix);

/** Whom an event speaks for, and by which network it is routed. */
export const clusterDetailFields = {
  cluster: z.string().min(1).max(100),
  network: z.string().min(1).max(64),
};

interface FromCluster {
  readonly source: string;
  readonly detail: { readonly cluster: string };
}

/** Whether an event speaks for the cluster whose credentials sent it. */
export const isOfOwnCluster = ({ source, detail }: FromCluster): boolean =>
  source === clusterSourceOf(detail.cluster);
