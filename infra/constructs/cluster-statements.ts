import { Annotations, Stack } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { ClusterConfiguration } from '#config/configuration.ts';
import { cutBySize, fitRole, mostOfStatement } from './policy-size.ts';
import { acts, commonTags, raiseStatements, unlistable } from './raise-statements.ts';
import { allow } from './statements.ts';

type Clusters = readonly ClusterConfiguration[];

export interface ClusterGrants {
  readonly statements: readonly PolicyStatement[];
  /** Where secrets are granted by folder: `outrider/main/*`. */
  readonly secretFolders: readonly string[];
}

/**
 * What `scale-up` may do because of the clusters of its network: read their secrets, raise their groups, take
 * on their roles. As narrow as fits into what IAM lets one role have: each secret and each cluster's tags by
 * themselves; else, with a warning, what all groups carry; else the folders of the secrets. Roles of other
 * accounts are never widened. Throws where even that does not fit.
 */
export const clusterStatements = (
  scope: Construct,
  { network, clusters }: { readonly network: string; readonly clusters: Clusters },
): ClusterGrants => {
  const roles = assumeRoles(clusters);
  const tags = tagsOfActing(clusters);
  const exact = [...roles, ...readSecrets(scope, clusters), ...raiseStatements(scope, tags)];
  if (fitRole(scope, exact)) return { statements: exact, secretFolders: [] };
  const shared = [...roles, ...readSecrets(scope, clusters), ...raiseTogether(scope, tags)];
  if (unlistable(tags).length > 0) warn(scope, network, widerTags);
  if (fitRole(scope, shared)) return { statements: shared, secretFolders: [] };
  const folders = foldersOf(clusters);
  const widest = [...roles, ...read(scope, folders), ...raiseTogether(scope, tags)];
  warn(scope, network, widerSecrets);
  if (fitRole(scope, widest)) {
    return {
      statements: widest,
      secretFolders: [...folders].filter((name) => name.endsWith('/*')),
    };
  }
  throw new Error(
    `networks: the grants of the ${clusters.length} clusters of ${network} do not fit into one role; keep their secrets in one folder (apiSecret: outrider/${network}/NAME), or spread them over several networks`,
  );
};

const widerTags = {
  id: 'outrider:raise-by-common-tags',
  what: 'may raise every group with the tags that all of its clusters have in common, since a grant for each cluster does not fit into one role',
  remedy:
    'tag groups with one key and the cluster as its value, and name that in discoveryTags (outrider.dev/cluster: NAME)',
};
const widerSecrets = {
  id: 'outrider:secrets-by-folder',
  what: 'may read every secret in the folders of its clusters, since their names do not fit into one role',
  remedy: 'give each network a folder of its own (apiSecret: outrider/NETWORK/NAME)',
};

const warn = (scope: Construct, network: string, said: typeof widerTags): void =>
  Annotations.of(scope).addWarningV2(
    said.id,
    `network ${network}: its role ${said.what}. To keep it narrow, ${said.remedy}.`,
  );

/** Exactly the roles that the configuration names, each once. */
export const assumeRoles = (clusters: Clusters): readonly PolicyStatement[] => {
  const arns = new Set(clusters.flatMap(({ account }) => account?.roleArn ?? []));
  return cutBySize([...arns], (arn) => arn.length + 3, mostOfStatement).map((some, index) =>
    allow(numbered('OtherAccounts', index), ['sts:AssumeRole'], some),
  );
};

/** Secrets Manager ends each ARN with a hyphen and six characters of its own. */
const readSecrets = (scope: Construct, clusters: Clusters): readonly PolicyStatement[] =>
  read(scope, new Set(clusters.map(({ apiSecret }) => `${apiSecret}-??????`)));

/** A secret outside any folder stays named by itself. */
const foldersOf = (clusters: Clusters): ReadonlySet<string> =>
  new Set(
    clusters.map(({ apiSecret }) =>
      apiSecret.includes('/')
        ? `${apiSecret.slice(0, apiSecret.lastIndexOf('/'))}/*`
        : `${apiSecret}-??????`,
    ),
  );

const read = (scope: Construct, names: ReadonlySet<string>): readonly PolicyStatement[] => {
  const arnOf = (name: string): string =>
    Stack.of(scope).formatArn({ service: 'secretsmanager', resource: `secret:${name}` });
  // Of an ARN all but the name has at most 70 characters.
  return cutBySize([...names], (name) => name.length + 73, mostOfStatement).map((some, index) =>
    allow(numbered('ReachClusters', index), ['secretsmanager:GetSecretValue'], some.map(arnOf)),
  );
};

/** Groups in another account are raised under the role there. */
const tagsOfActing = (clusters: Clusters) =>
  clusters
    .filter((cluster) => acts(cluster) && cluster.account === undefined)
    .map(({ discoveryTags }) => discoveryTags);

/**
 * What the role in another account may raise: the groups of its acting clusters, each by its tags; with a
 * warning, by the tags that they have in common where that does not fit.
 */
export const raisesOfAccount = (
  scope: Construct,
  clusters: Clusters,
): readonly PolicyStatement[] => {
  const tags = clusters.filter(acts).map(({ discoveryTags }) => discoveryTags);
  const exact = raiseStatements(scope, tags);
  if (fitRole(scope, exact)) return exact;
  Annotations.of(scope).addWarningV2(
    widerTags.id,
    `the role ${widerTags.what}. To keep it narrow, ${widerTags.remedy}.`,
  );
  return raiseTogether(scope, tags);
};

const raiseTogether = (
  scope: Construct,
  all: readonly Readonly<Record<string, string>>[],
): readonly PolicyStatement[] => {
  const wide = unlistable(all);
  const common = commonTags(wide);
  if (wide.length > 0 && Object.keys(common).length === 0) {
    throw new Error(
      `clusters: the grants to raise the groups of ${wide.length} clusters do not fit into one role, and their discoveryTags have nothing in common; ${widerTags.remedy}`,
    );
  }
  const listed = all.filter((tags) => !wide.includes(tags));
  return [
    ...raiseStatements(scope, listed),
    ...raiseStatements(scope, wide.length > 0 ? [common] : []),
  ];
};

/** Statements of one policy need different names. */
const numbered = (sid: string, index: number): string => (index === 0 ? sid : `${sid}${index + 1}`);
