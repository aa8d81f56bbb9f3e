import { expect, it } from 'vitest';
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
