import { describe, expect, it } from 'vitest';
import { readConfiguration } from '#config/read-configuration.ts';
import { clustersAskedFor, networkNamed } from '#wiring/open-deployment.ts';
import { healthyDeployment } from '../../helpers/healthy-deployment.ts';

const read = readConfiguration('clusters: [{ name: shop }, { name: lab }]', 'x');
if (!('configuration' in read)) throw new Error('the configuration is accepted');
const open = { deployment: healthyDeployment, configuration: read.configuration };

describe('the clusters asked for', () => {
  it('are all of the deployment, or the one named', () => {
    expect(clustersAskedFor(open, undefined).map(({ name }) => name)).toEqual(['shop', 'lab']);
    expect(clustersAskedFor(open, 'lab').map(({ name }) => name)).toEqual(['lab']);
  });

  it('are named where the one asked for is not among them', () => {
    expect(() => clustersAskedFor(open, 'lob')).toThrow(
      'stack Outrider has no cluster lob: it has shop, lab',
    );
  });
});

describe('a network', () => {
  it('is found by its name, whose hyphens output names lose', () => {
    const [main] = healthyDeployment.networks;
    if (main === undefined) throw new Error('there is one');
    const deployment = { ...healthyDeployment, networks: [{ ...main, key: 'myvpc' }] };
    expect(networkNamed(deployment, 'my-vpc').queueUrl).toBe('https://sqs/main');
    expect(() => networkNamed(deployment, 'vpc')).toThrow('has no network vpc: it has myvpc');
  });
});
