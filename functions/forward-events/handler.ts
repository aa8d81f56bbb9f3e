import { forwardEnvironmentVariables, readEnvironment } from '#config/environment.ts';
import { buildForwardEvents } from '#wiring/forward-events.ts';
import { oncePerProcess } from '../lib/once-per-process.ts';
import { createHandler } from './create-handler.ts';

/** Fed by the queue of AWS's own events; stands in no network. */
export const handler = createHandler(
  oncePerProcess(async () => buildForwardEvents(readEnvironment(forwardEnvironmentVariables))),
);
