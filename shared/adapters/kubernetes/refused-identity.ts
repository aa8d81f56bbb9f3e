import { PortError } from '#ports/port-error.ts';
import { isNotAuthenticated } from './api-error.ts';

/** Where an API server does not know who asks (401): the same error, with the secret that says who, and the remedy. */
export const namingSecret = (error: unknown, secret: string): unknown => {
  if (!(error instanceof PortError) || !isNotAuthenticated(error)) return error;
  const remedy = `its token or certificate is not accepted: put a new one into the secret ${secret} (docs/guides/api-access.md)`;
  return new PortError(error.code, `${error.message}: ${remedy}`, { cause: error.cause });
};
