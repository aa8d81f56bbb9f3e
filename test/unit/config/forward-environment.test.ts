import { describe, expect, it } from 'vitest';
import { environmentVariables } from '#config/environment.ts';
import {
  forwardEnvironmentVariables,
  readForwardEnvironment,
} from '#config/forward-environment.ts';

const complete = Object.fromEntries(
  Object.values(forwardEnvironmentVariables).map((name) => [name, `value of ${name}`]),
);

describe('environment of forward-events', () => {
  it('reads every name', () => {
    const environment = readForwardEnvironment(complete);
    expect(environment).toEqual(
      Object.fromEntries(
        Object.entries(forwardEnvironmentVariables).map(([field, name]) => [
          field,
          `value of ${name}`,
        ]),
      ),
    );
  });

  it.each(Object.values(forwardEnvironmentVariables))('says that %s is missing', (name) => {
    expect(() => readForwardEnvironment({ ...complete, [name]: '' })).toThrow(`lacks ${name}: `);
  });

  it('uses the names of the other functions for the same things', () => {
    const { eventBusName, ...shared } = forwardEnvironmentVariables;
    expect(environmentVariables).toMatchObject(shared);
    expect(Object.values(environmentVariables)).not.toContain(eventBusName);
  });
});
