import { describe, expect, it } from 'vitest';
import { environmentVariables, readEnvironment } from '#config/environment.ts';

const complete = Object.fromEntries(
  Object.values(environmentVariables).map((name) => [name, `value of ${name}`]),
);

describe('environment', () => {
  it('reads every name', () => {
    const environment = readEnvironment(complete);
    expect(environment.table).toBe('value of OUTRIDER_TABLE');
    expect(environment.queueUrl).toBe('value of OUTRIDER_QUEUE_URL');
    expect(Object.keys(environment).sort()).toEqual(Object.keys(environmentVariables).sort());
  });

  it.each(Object.values(environmentVariables))('says that %s is missing', (name) => {
    expect(() => readEnvironment({ ...complete, [name]: undefined })).toThrow(`lacks ${name}: `);
    expect(() => readEnvironment({ ...complete, [name]: '' })).toThrow(name);
  });

  it('says everything that is missing in one error', () => {
    expect(() => readEnvironment({})).toThrow(/OUTRIDER_TABLE, .*OUTRIDER_ENGINE_VERSION/);
  });
});
