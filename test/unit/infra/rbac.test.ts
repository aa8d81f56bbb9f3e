import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { clusterLists } from '#adapters/kubernetes/cluster-lists.ts';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly name: string }[];
}

const manifests = (name: string): readonly Manifest[] => {
  const file = new URL(`../../../infra/rbac/${name}.yaml`, import.meta.url);
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS());
};

/** `verb group/resource`, all of them. */
const permissions = (name: string): readonly string[] =>
  manifests(name)
    .flatMap(({ rules }) => rules ?? [])
    .flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`)),
      ),
    )
    .toSorted();

describe('the identities inside a cluster', () => {
  it('outrider-read lists and watches what a decision needs and creates Events, nothing else', () => {
    expect(permissions('outrider-read')).toEqual([
      'create events.k8s.io/events',
      'list /configmaps',
      'list /namespaces',
      'list /nodes',
      'list /persistentvolumeclaims',
      'list /persistentvolumes',
      'list /pods',
      'list apps/daemonsets',
      'list coordination.k8s.io/leases',
      'list policy/poddisruptionbudgets',
      'list storage.k8s.io/csidrivers',
      'list storage.k8s.io/csinodes',
      'list storage.k8s.io/csistoragecapacities',
      'list storage.k8s.io/storageclasses',
      'watch /nodes',
      'watch /persistentvolumeclaims',
      'watch /persistentvolumes',
      'watch /pods',
      'watch storage.k8s.io/csinodes',
    ]);
  });

  it('outrider-read may list every list of a look, and watch those that are followed', () => {
    const may = new Set(permissions('outrider-read'));
    const asked = clusterLists.flatMap(({ apiVersion, plural, followed }) => {
      const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
      return (followed ? ['list', 'watch'] : ['list']).map((verb) => `${verb} ${group}/${plural}`);
    });
    expect(asked.filter((action) => !may.has(action))).toEqual([]);
  });

  it('outrider-relay lists and watches nodes and pods, nothing else', () => {
    expect(permissions('outrider-relay')).toEqual([
      'list /nodes',
      'list /pods',
      'watch /nodes',
      'watch /pods',
    ]);
  });

  it.each(['outrider-read', 'outrider-relay'])('%s is bound to its own account', (name) => {
    const bindings = manifests(name).filter(({ roleRef }) => roleRef !== undefined);
    expect(bindings).toHaveLength(1);
    expect(bindings[0]?.roleRef).toMatchObject({ kind: 'ClusterRole', name });
    expect(bindings[0]?.subjects).toEqual([
      { kind: 'ServiceAccount', name, namespace: 'outrider' },
    ]);
  });
});
