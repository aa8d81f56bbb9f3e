import { describe, expect, it } from 'vitest';
import { configurationOfCluster } from '#config/configuration-of-cluster.ts';
import { readConfiguration } from '#config/read-configuration.ts';

const deployed = {
  networks: [{ name: 'a' }, { name: 'b' }],
  clusters: [
    {
      name: 'shop',
      network: 'a',
      apiSecret: 'where/it/is',
      account: { roleArn: 'arn:aws:iam::123456789012:role/x', externalId: 'only-we-know' },
      relay: true,
      mode: 'act',
      scaling: { startLimit: '5m' },
    },
    { name: 'lab', network: 'b' },
  ],
};

describe('the configuration in a snapshot', () => {
  const text = configurationOfCluster(JSON.stringify(deployed), 'shop');

  it('has the policy of that cluster and nothing of the others', () => {
    const read = readConfiguration(text, 'outrider.yaml');
    expect(read).toMatchObject({
      configuration: {
        clusters: [{ name: 'shop', policy: { mode: 'act', startLimitSeconds: 300 } }],
      },
    });
    expect(text).not.toContain('lab');
  });

  it('does not say how the cluster is reached, and as whom', () => {
    for (const secret of ['where/it/is', 'only-we-know', 'arn:aws', 'network']) {
      expect(text).not.toContain(secret);
    }
  });
});
