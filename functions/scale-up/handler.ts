import { environmentVariables, readEnvironment } from '#config/environment.ts';
import { buildScaleUp } from '#wiring/scale-up.ts';
import { oncePerProcess } from '../lib/once-per-process.ts';
import { createHandler } from './create-handler.ts';

/** Fed by the queue of one network. */
export const handler = createHandler(
  oncePerProcess(async () => buildScaleUp(readEnvironment(environmentVariables))),
);
