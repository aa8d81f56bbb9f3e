import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { makeNodeGroup } from './node-group.ts';
import { applyRbac } from './rbac.ts';
import type { Testbed } from './testbed.ts';

/** The cluster that `npm run testbed -- --deploy` registers. */
export const demonstrationCluster = 'demo';
export const demonstrationNetwork = 'demo';
export const demonstrationSecret = 'outrider/demo';

export const demonstrationConfiguration = `networks:
  - name: ${demonstrationNetwork}
clusters:
  - name: ${demonstrationCluster}
    network: ${demonstrationNetwork}
    apiSecret: ${demonstrationSecret}
    mode: act
`;

/** RBAC and a secret for the cluster, and two groups: workers-a (m5.large), workers-b (m5.xlarge). */
export const setUpDemonstration = async (testbed: Testbed): Promise<void> => {
  await Promise.all([
    registerCluster(testbed, demonstrationSecret),
    makeNodeGroup(testbed.emulator, {
      name: 'workers-a',
      cluster: demonstrationCluster,
      instanceType: 'm5.large',
      zones: ['us-east-1a'],
      max: 10,
    }),
    makeNodeGroup(testbed.emulator, {
      name: 'workers-b',
      cluster: demonstrationCluster,
      instanceType: 'm5.xlarge',
      zones: ['us-east-1b'],
      max: 10,
    }),
  ]);
};

/**
 * Applies the shipped RBAC and puts `{ server, ca, token }` of its `outrider-read` service account into
 * Secrets Manager. The token is valid for a day.
 */
export const registerCluster = async (testbed: Testbed, secretName: string): Promise<void> => {
  const { controlPlane, emulator } = testbed;
  const manifests = await applyRbac(controlPlane.admin);
  const account = manifests.find(
    ({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === 'outrider-read',
  );
  if (account === undefined) throw new Error('infra/rbac has no ServiceAccount outrider-read');
  const { name, namespace = 'default' } = account.metadata;
  const token = await controlPlane.serviceAccountToken(namespace, name);
  const secrets = new SecretsManagerClient(emulator.clientConfig);
  const value = { server: controlPlane.server, ca: controlPlane.ca, token };
  await secrets
    .send(new CreateSecretCommand({ Name: secretName, SecretString: JSON.stringify(value) }))
    .finally(() => secrets.destroy());
};
