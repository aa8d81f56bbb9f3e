import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { configurationJsonSchema } from '#config/configuration-json-schema.ts';
import { readConfiguration } from '#config/read-configuration.ts';

const at = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const schema = z.fromJSONSchema(configurationJsonSchema() as never);

/** Whether an editor would take it, and whether the reader does. */
const verdicts = (yaml: string) => ({
  editor: schema.safeParse(parse(yaml)).success,
  reader: 'configuration' in readConfiguration(yaml, 'x'),
});

const clusterWith = (rest: string): string => `clusters: [{ name: shop, ${rest} }]`;

describe('the published schema of outrider.yaml', () => {
  it('is the one that is made of the reader: run outrider schema > docs/outrider.schema.json', () => {
    expect(at('docs/outrider.schema.json')).toBe(
      `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`,
    );
  });

  it('describes every key', () => {
    const bare: string[] = [];
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === 'properties') {
          for (const [name, property] of Object.entries(value as object)) {
            if (!('description' in property)) bare.push(`${path}.${name}`);
          }
        }
        walk(value, key === 'properties' ? path : `${path}.${key}`);
      }
    };
    walk(configurationJsonSchema(), '');
    expect(bare).toEqual([]);
  });

  it('takes the examples and those of the guide', () => {
    const guide = at('docs/guides/configuration.md');
    const examples = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
    const files = readdirSync(new URL('../../../examples', import.meta.url));
    expect(files).toContain('outrider.yaml');
    for (const text of [...examples, at('examples/outrider.yaml')]) {
      expect(verdicts(text)).toEqual({ editor: true, reader: true });
    }
  });

  it.each([
    ['a duration', 'scaling: { startLimit: 15m }'],
    ['several units', 'scaling: { backOff: { reset: 1h30m } }'],
    ['CPU as a number', 'kubelet: { systemReserved: { cpu: 2 } }'],
    ['CPU as a quantity', 'kubelet: { systemReserved: { cpu: 100m } }'],
    ['memory', 'kubelet: { evictionHard: { memory.available: 1.5Gi } }'],
    ['an exponent', 'groups: [{ match: x, resources: { a/b: 1e3 } }]'],
    ['a percentage', 'kubelet: { vmMemoryOverhead: 5.5% }'],
    ['a taint without value', "groups: [{ match: x, taints: ['a/b:NoExecute'] }]"],
    ['a tag that accepts any value', 'discoveryTags: { a: }'],
  ])('takes %s', (_, rest) => {
    expect(verdicts(clusterWith(rest))).toEqual({ editor: true, reader: true });
  });

  it.each([
    ['a duration without unit', 'scaling: { startLimit: 15 }'],
    ['a duration as text without unit', "scaling: { startLimit: '15' }"],
    ['a negative amount', "kubelet: { systemReserved: { cpu: '-1' } }"],
    ['a negative number', 'kubelet: { systemReserved: { cpu: -1 } }'],
    ['a percentage without sign', "kubelet: { vmMemoryOverhead: '5' }"],
    ['a taint without effect', 'groups: [{ match: x, taints: [a=b] }]'],
    ['an unknown key', 'modus: act'],
    ['an unknown mode', 'mode: maybe'],
  ])('refuses %s, as the reader does', (_, rest) => {
    expect(verdicts(clusterWith(rest))).toEqual({ editor: false, reader: false });
  });
});
