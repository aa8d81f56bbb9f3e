import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '#config/read-configuration.ts';
import { defaultKubeletPolicy } from '#kubelet/policy.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';

const guide = readFileSync(
  new URL('../../../docs/guides/configuration.md', import.meta.url),
  'utf8',
);

/** The keys that the reader knows in a section: it lists them when it meets one that it does not. */
const knownKeys = (text: string): readonly string[] => {
  const read = readConfiguration(text.replace('HERE', 'zzzzzzzzzzzzzzzzzzzz: 1'), 'x');
  const problems = 'problems' in read ? read.problems : [];
  const unknown = problems.find(({ code }) => code === 'unknownKey');
  return (/known here are (.*)$/.exec(unknown?.message ?? '')?.[1] ?? '').split(', ');
};

const sections: readonly (readonly [string, string])[] = [
  ['the file', 'HERE'],
  ['a network', 'networks: [{name: a, HERE}]'],
  ['a VPC', 'networks: [{name: a, vpc: {HERE}}]'],
  ['a cluster', 'clusters: [{name: a, HERE}]'],
  ['scaling', 'clusters: [{name: a, scaling: {HERE}}]'],
  ['kubelet', 'clusters: [{name: a, kubelet: {HERE}}]'],
  ['reservations', 'clusters: [{name: a, kubelet: {systemReserved: {HERE}}}]'],
  ['eviction', 'clusters: [{name: a, kubelet: {evictionHard: {HERE}}}]'],
  ['a group', 'clusters: [{name: a, groups: [{match: x, HERE}]}]'],
];

describe('the examples', () => {
  it.each(['outrider.yaml', 'snapshots/basic/outrider.yaml'])('%s is accepted', (name) => {
    const text = readFileSync(new URL(`../../../examples/${name}`, import.meta.url), 'utf8');
    expect(readConfiguration(text, name)).toHaveProperty('configuration');
  });
});

describe('the guide to the configuration', () => {
  it.each(sections)('has every key of %s', (_, text) => {
    const keys = knownKeys(text);
    expect(keys.length).toBeGreaterThan(1);
    const missing = keys.filter(
      (key) => !guide.includes(`\`${key}\``) && !guide.includes(`.${key}\``),
    );
    expect(missing).toEqual([]);
  });

  it('has examples that are accepted', () => {
    const examples = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
    expect(examples).toHaveLength(2);
    for (const example of examples) {
      expect(readConfiguration(example, 'guide')).toHaveProperty('configuration');
    }
  });

  it('gives the defaults that hold', () => {
    const row = (key: string): string =>
      new RegExp(`^\\| \`${key}\` \\| ([^|]*) \\|`, 'm').exec(guide)?.[1] ?? '';
    expect(row('priorityCutoff')).toBe(`\`${defaultScalingPolicy.priorityCutoff}\``);
    expect(row('startLimit')).toBe(`\`${defaultScalingPolicy.startLimitSeconds / 60}m\``);
    expect(row('maxNodesPerDecision')).toBe(`\`${defaultScalingPolicy.maxNodesPerDecision}\``);
    expect(row('trialsPerDecision')).toBe(`\`${defaultScalingPolicy.trialsPerDecision}\``);
    expect(row('maxPods')).toBe(`\`${defaultKubeletPolicy.maxPods}\``);
    expect(row('kubeReserved')).toBe(`\`${defaultKubeletPolicy.kubeReserved}\``);
    expect(row('memory.available')).toBe(
      `\`${defaultKubeletPolicy.evictionHardMemoryBytes / 1024 ** 2}Mi\``,
    );
    expect(row('nodefs.available')).toBe(
      `\`${defaultKubeletPolicy.evictionHardNodefsPerMille / 10}%\``,
    );
    expect(row('vmMemoryOverhead')).toBe(
      `\`${defaultKubeletPolicy.vmMemoryOverheadPerMille / 10}%\``,
    );
    expect(row('mode')).toBe(`\`${defaultScalingPolicy.mode}\``);
  });
});
