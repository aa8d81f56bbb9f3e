import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { explainRecordedPod } from '#wiring/explain.ts';
import { renderExplanation } from '../../../cli/render/explanation.ts';
import { styleOf } from '../../../cli/render/style.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const guide = readFileSync(new URL('../../../docs/guides/scaling.md', import.meta.url), 'utf8');

const block =
  /```console\n\$ npx outrider explain (\S+) --snapshot (\S+)( --nodes)?\n([\s\S]*?)\n```/g;

const examples = [...guide.matchAll(block)].map(
  ([, pod = '', snapshot = '', nodes, printed = '']) => ({
    pod,
    snapshot,
    nodes: nodes !== undefined,
    printed,
  }),
);

const explained = async ({ pod, snapshot, nodes }: (typeof examples)[number]) => {
  const outcome = await explainRecordedPod({ snapshot: `${root}/${snapshot}` }, { pod, nodes });
  if ('refused' in outcome) throw new Error(outcome.refused);
  return outcome;
};

describe('the guide on scaling', () => {
  it('has an example in each of its blocks', () => {
    expect(examples.length).toBe(guide.split('```console').length - 1);
    expect(examples.length).toBeGreaterThanOrEqual(30);
  });

  it.each(examples)(
    'shows what is printed of $pod of $snapshot, word for word',
    async (example) => {
      const text = renderExplanation(
        await explained(example),
        styleOf({ isTTY: false }, { noColor: true }),
      );
      expect(text.trimEnd()).toBe(example.printed);
      // A patch is pasted: its lines are as long as they are.
      const prose = text.split('\n').filter((line) => !/^ {5}/.test(line));
      expect(prose.filter((line) => line.length > 80)).toEqual([]);
    },
  );

  it('names by its title each code that an example is about', async () => {
    const titled = [...guide.matchAll(/### `(\w+)`\n\n[\s\S]*?\$ npx outrider explain (\S+)/g)];
    expect(titled.length).toBeGreaterThan(20);
    for (const [, code, pod] of titled) {
      const example = examples.find((one) => one.pod === pod);
      if (example === undefined) throw new Error(`no example of ${pod}`);
      const { reason, groups } = await explained(example);
      expect([reason.code, ...groups.map((group) => group.code)]).toContain(code);
    }
  });
});
