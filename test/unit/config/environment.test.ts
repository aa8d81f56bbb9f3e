import { describe, expect, it } from 'vitest';
import {
  environmentVariables,
  forwardEnvironmentVariables,
  readEnvironment,
} from '#config/environment.ts';

describe.each([
  ['scale-up', environmentVariables],
  ['forward-events', forwardEnvironmentVariables],
])('environment of %s', (_function, names) => {
  const complete = Object.fromEntries(Object.values(names).map((name) => [name, `of ${name}`]));

  it('reads every name', () => {
    expect(readEnvironment(names, complete)).toEqual(
      Object.fromEntries(Object.entries(names).map(([field, name]) => [field, `of ${name}`])),
    );
  });

  it.each(Object.values(names))('says that %s is missing', (name) => {
    const lacking = { ...complete, [name]: undefined };
    expect(() => readEnvironment(names, lacking)).toThrow(`lacks ${name}: `);
    expect(() => readEnvironment(names, { ...complete, [name]: '' })).toThrow(name);
  });
});

describe('an empty environment', () => {
  it('has everything that is missing said in one error', () => {
    const read = () => readEnvironment(environmentVariables, {});
    expect(read).toThrow(/OUTRIDER_TABLE, .*OUTRIDER_ENGINE_VERSION/);
  });
});
