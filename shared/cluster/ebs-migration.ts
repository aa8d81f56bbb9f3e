import type { NodeSelectorTerm } from './constraints.ts';
import { ebsZoneLabel } from './ebs-volume-id.ts';
import { getOwn } from './own-record.ts';

type Terms = readonly NodeSelectorTerm[] | undefined;

/** The names of the zone and region labels, new and old: the scheduler takes the first that is used. */
const zoneLabels = [
  { zone: 'topology.kubernetes.io/zone', region: 'topology.kubernetes.io/region' },
  {
    zone: 'failure-domain.beta.kubernetes.io/zone',
    region: 'failure-domain.beta.kubernetes.io/region',
  },
] as const;

const [newest, oldest] = zoneLabels;

/** Between the zones of a volume that is in several. */
const zoneDelimiter = '__';

const isUsed = (terms: Terms, key: string): boolean =>
  (terms ?? []).some(({ matchExpressions }) => matchExpressions.some((one) => one.key === key));

const hasValues = (terms: Terms, key: string): boolean =>
  (terms ?? []).some(({ matchExpressions }) =>
    matchExpressions.some((one) => one.key === key && one.values.length > 0),
  );

const renamed = (terms: Terms, from: string, to: string): Terms =>
  terms?.map(({ matchExpressions, matchFields }) => ({
    matchExpressions: matchExpressions.map((one) => (one.key === from ? { ...one, key: to } : one)),
    matchFields,
  }));

function withZones(terms: Terms, label: string): Terms {
  const zones = [
    ...new Set(
      label
        .split(zoneDelimiter)
        .map((zone) => zone.trim())
        .filter((zone) => zone !== ''),
    ),
  ].sort();
  if (zones.length === 0) return terms;
  const inZones = { key: ebsZoneLabel, operator: 'In', values: zones } as const;
  const old =
    terms === undefined || terms.length === 0 ? [{ matchExpressions: [], matchFields: [] }] : terms;
  return old.map(({ matchExpressions, matchFields }) => ({
    matchExpressions: [...matchExpressions, inZones],
    matchFields,
  }));
}

/**
 * The node affinity of an in-tree EBS volume once its node has been migrated to the CSI driver: zone labels
 * become the driver's own, and a volume without any takes the zones of its own labels
 * (translateTopologyFromInTreeToCSI of csi-translation-lib 0.37).
 */
export function migratedAffinity(terms: Terms, labels: Readonly<Record<string, string>>): Terms {
  const used =
    zoneLabels.find(({ zone }) => isUsed(terms, zone)) ??
    zoneLabels.find(({ zone }) => getOwn(labels, zone) !== undefined) ??
    newest;
  const zones = getOwn(labels, used.zone);
  let migrated = terms;
  if (hasValues(terms, used.zone)) migrated = renamed(terms, used.zone, ebsZoneLabel);
  else if (zones !== undefined) migrated = withZones(terms, zones);
  const oldRegion = used === oldest && hasValues(migrated, oldest.region);
  return oldRegion ? renamed(migrated, oldest.region, newest.region) : migrated;
}
