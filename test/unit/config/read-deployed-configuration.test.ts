import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfiguration } from '#config/read-configuration.ts';
import { readDeployedConfiguration } from '#config/read-deployed-configuration.ts';

const text = `networks: [{name: main}]
clusters:
  - {name: demo, network: main, mode: act, scaling: {startLimit: 10m}}
`;

describe('the configuration that a function reads', () => {
  it('is the one that people wrote', () => {
    const written = readConfiguration(text, 'outrider.yaml');
    expect(written).toHaveProperty('configuration');
    expect(readDeployedConfiguration(JSON.stringify(parse(text)))).toEqual(written);
  });

  it('is refused with the field where it is of another version', () => {
    const read = readDeployedConfiguration('{"clusters":[{"name":"demo","mode":"dream"}]}');
    expect(read).toMatchObject({ problems: [{ field: 'clusters[0].mode' }] });
  });

  it('is refused where it is no JSON', () => {
    expect(readDeployedConfiguration('clusters: []')).toMatchObject({
      problems: [{ code: 'notJson' }],
    });
  });
});
