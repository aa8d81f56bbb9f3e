import * as z from 'zod';
import { defaultDiscoveryTags } from '#scaling/discovery.ts';
import { accountOfArn, roleArnForm } from './arn.ts';
import type { ClusterConfiguration, Configuration, NetworkConfiguration } from './configuration.ts';
import { tagValue } from './fields.ts';
import { policyOf, policyShape } from './policy-schema.ts';
import { section } from './schema-problems.ts';

const clusterName = z
  .string()
  .max(100)
  .regex(
    /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/,
    'use lower case letters, digits, dots and hyphens, a letter or digit first and last',
  );

const networkName = z
  .string()
  .max(64)
  .regex(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
    'use lower case letters, digits and hyphens, a letter or digit first and last',
  );

const awsId = (prefix: string) =>
  z.string().regex(new RegExp(`^${prefix}-[0-9a-f]+$`), `write an id such as ${prefix}-0a1b2c3d`);

const network = section({
  name: networkName,
  vpc: section({
    vpcId: awsId('vpc'),
    subnetIds: z.array(awsId('subnet')).min(1).max(16),
    securityGroupIds: z.array(awsId('sg')).min(1).max(5),
  }).optional(),
});

const cluster = section({
  name: clusterName,
  network: networkName.optional(),
  apiSecret: z.string().min(1).max(512).optional(),
  discoveryTags: z
    .record(z.string().min(1).max(128), tagValue)
    .refine((tags) => Object.keys(tags).length > 0, {
      error: 'is empty: name at least one tag, or every group of the account would be taken',
    })
    .optional(),
  account: section({
    roleArn: z
      .string()
      .regex(
        roleArnForm,
        'write the ARN of a role: arn:aws:iam::123456789012:role/outrider-cluster',
      ),
    externalId: z
      .string()
      .min(2)
      .max(1224)
      .regex(/^[\w+=,.@:/-]+$/, 'use letters, digits and + = , . @ : / -'),
  }).optional(),
  relay: z.boolean().optional(),
  ...policyShape,
});

/** Refuses the second of two entries that share what must be unique. */
const unique = <T>(
  entries: readonly T[],
  keyOf: (entry: T) => string,
  report: (index: number, first: number) => void,
): void => {
  const seen = new Map<string, number>();
  entries.forEach((entry, index) => {
    const key = keyOf(entry);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    else report(index, first);
  });
};

const discoveryTagsOf = (given: z.infer<typeof cluster>): Readonly<Record<string, string>> =>
  given.discoveryTags ?? defaultDiscoveryTags(given.name);

/** Groups of two accounts may carry the same tags. */
const tagsKey = (given: z.infer<typeof cluster>): string =>
  accountOfArn(given.account?.roleArn) +
  JSON.stringify(Object.entries(discoveryTagsOf(given)).sort(([a], [b]) => (a < b ? -1 : 1)));

const implicitNetworks: readonly NetworkConfiguration[] = [{ name: 'default' }];

/** The whole of `outrider.yaml`, with every default filled in. */
export const configurationSchema = section({
  networks: z.array(network).max(100).optional(),
  clusters: z.array(cluster).max(1000).optional(),
}).transform((given, context): Configuration => {
  const issue = (path: PropertyKey[], message: string) =>
    context.addIssue({ code: 'custom', path, message, input: given });
  const clusters = given.clusters ?? [];
  const networks = (given.networks ?? []).map(
    ({ name, vpc }): NetworkConfiguration => (vpc === undefined ? { name } : { name, vpc }),
  );
  const usable = networks.length === 0 ? implicitNetworks : networks;
  const only = usable.length === 1 ? usable[0]?.name : undefined;

  unique(
    networks,
    (entry) => entry.name,
    (index, first) =>
      issue(['networks', index, 'name'], `is taken by networks[${first}]: choose another`),
  );
  unique(
    clusters,
    (entry) => entry.name,
    (index, first) =>
      issue(['clusters', index, 'name'], `is taken by clusters[${first}]: choose another`),
  );
  unique(clusters, tagsKey, (index, first) => {
    if (clusters[index]?.name === clusters[first]?.name) return;
    issue(
      ['clusters', index, 'discoveryTags'],
      `are those of ${clusters[first]?.name}: a group can belong to one cluster only`,
    );
  });
  return {
    networks: usable,
    clusters: clusters.map((entry, index): ClusterConfiguration => {
      const named = entry.network ?? only ?? 'default';
      if (!usable.some(({ name }) => name === named)) {
        const known = usable.map(({ name }) => name).join(', ');
        issue(
          ['clusters', index, 'network'],
          `is ${named}, which networks does not name: ${known}`,
        );
      }
      return {
        name: entry.name,
        network: named,
        apiSecret: entry.apiSecret ?? `outrider/${entry.name}`,
        discoveryTags: discoveryTagsOf(entry),
        ...(entry.account === undefined ? {} : { account: entry.account }),
        relay: entry.relay ?? false,
        policy: policyOf(entry),
      };
    }),
  };
});
