import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readCheckedYaml } from '#config/checked-yaml.ts';

it('names nesting without end in words, not as a stack that overflowed', () => {
  const deep = `a:\n  b: ${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  expect(readCheckedYaml(deep, 'f.yaml', z.unknown())).toEqual({
    problems: [
      { file: 'f.yaml:2', code: 'notYaml', message: 'is nested too deeply: mend the YAML here' },
    ],
  });
});

describe('faults of syntax', () => {
  const messages = (text: string): readonly string[] => {
    const read = readCheckedYaml(text, 'f.yaml', z.unknown());
    return 'problems' in read
      ? read.problems.map(({ file, message }) => `${file}: ${message}`)
      : [];
  };

  it('are told by the first alone, with the number of those that follow from it', () => {
    const tab = 'title: a\ngroups:\n\t- name: a\n\t  max: 3\nworkloads:\n\t- name: b\n';
    expect(messages(tab)).toEqual([
      expect.stringMatching(/^f\.yaml:3: Tabs .*: mend the YAML here \(\d+ more follow from it\)$/),
    ]);
    expect(messages('a: [1\n')).toHaveLength(1);
  });

  it('do not follow from one another where keys are there twice', () => {
    expect(messages('a: 1\na: 2\nb: 1\nb: 2\n')).toEqual([
      expect.stringMatching(/^f\.yaml:2: [^(]*$/),
      expect.stringMatching(/^f\.yaml:4: [^(]*$/),
    ]);
  });
});
