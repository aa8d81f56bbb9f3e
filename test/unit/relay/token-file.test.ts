import { describe, expect, it } from 'vitest';
import { createTokenFile } from '../../../relay/token-file.ts';

describe('token file', () => {
  it('is read again, so that a token that rotates is the one used', () => {
    let now = 0;
    let content = 'first\n';
    const token = createTokenFile(
      'token',
      () => content,
      () => now,
    );
    content = 'second\n';
    expect(token()).toBe('first');
    now = 10_000;
    expect(token()).toBe('second');
  });

  it('keeps the last token while the file is missing or empty', () => {
    let now = 0;
    let read = () => 'first';
    const token = createTokenFile(
      'token',
      () => read(),
      () => now,
    );
    read = () => {
      throw new Error('ENOENT');
    };
    now = 10_000;
    expect(token()).toBe('first');
    read = () => '';
    now = 20_000;
    expect(token()).toBe('first');
    read = () => 'second';
    now = 30_000;
    expect(token()).toBe('second');
  });
});
