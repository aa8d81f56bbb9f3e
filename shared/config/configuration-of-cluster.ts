import { stringify } from 'yaml';

/** What a plan has no use for: how a cluster is reached, and as whom. */
const leftOut = new Set(['network', 'apiSecret', 'account', 'relay']);

/**
 * An `outrider.yaml` with one cluster of a deployed configuration (JSON, checked before), for a plan: its
 * name, tags and policy as somebody wrote them, without how it is reached.
 */
export const configurationOfCluster = (deployed: string, cluster: string): string => {
  const { clusters = [] } = JSON.parse(deployed) as {
    readonly clusters?: readonly Readonly<Record<string, unknown>>[];
  };
  const entries = clusters
    .filter(({ name }) => name === cluster)
    .map((entry) => Object.fromEntries(Object.entries(entry).filter(([key]) => !leftOut.has(key))));
  return stringify({ clusters: entries });
};
