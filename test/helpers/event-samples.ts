import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../events/samples/', import.meta.url);

/** The text of one of the samples of events/, by its name without `.json`. */
export const sampleText = (name: string): string =>
  readFileSync(new URL(`${name}.json`, folder), 'utf8');

/** Names of all samples; those of events that nothing can be done with begin with `broken-`. */
export const sampleNames: readonly string[] = readdirSync(folder)
  .map((file) => file.replace(/\.json$/, ''))
  .toSorted();

interface Envelope {
  readonly source: string;
  readonly 'detail-type': string;
}

/** A hint as it stands on the bus and in a queue. */
export const podPendingSample = JSON.parse(sampleText('pod-pending')) as Envelope & {
  readonly detail: { readonly cluster: string; readonly network: string; readonly pods: [] };
};

/** The schedule's constant message. */
export const sweepSample = JSON.parse(sampleText('sweep')) as Envelope & {
  readonly detail: { readonly network: string };
};

/** The sample of a hint, from another cluster. */
export const podPendingFrom = (cluster: string, network = podPendingSample.detail.network) => ({
  ...podPendingSample,
  source: `outrider.cluster.${cluster}`,
  detail: { ...podPendingSample.detail, cluster, network },
});
