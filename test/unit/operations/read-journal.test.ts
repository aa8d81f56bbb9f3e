import { describe, expect, it } from 'vitest';
import { isDecisionOf } from '#operations/read-journal.ts';

const line = {
  id: 'demo/scale-up/1',
  at: '2026-08-21T10:00:00Z',
  mode: 'act',
  trigger: 'cli',
  engineVersion: '0.1.0',
  said: '',
} as const;

describe('whose decision it is that a look comes to', () => {
  const atMs = Date.parse(line.at);
  it.each([
    // Times of the journal are whole seconds.
    [
      'its own, taken in the second in which it began',
      { trigger: 'cli', sinceMs: atMs + 999 },
      true,
    ],
    ['its own, taken later', { trigger: 'cli', sinceMs: atMs - 5000 }, true],
    ['an older one', { trigger: 'cli', sinceMs: atMs + 1000 }, false],
    ['that of another cause', { trigger: 'sweep', sinceMs: atMs }, false],
  ])('is told: %s', (_, look, own) => {
    expect(isDecisionOf(line, look)).toBe(own);
  });
});
