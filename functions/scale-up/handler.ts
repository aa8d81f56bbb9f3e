import { readEnvironment } from '#config/environment.ts';
import { buildScaleUp } from '#wiring/scale-up.ts';
import { createEmfMetrics } from '../lib/emf-metrics.ts';
import { oncePerProcess } from '../lib/once-per-process.ts';
import { createHandler } from './create-handler.ts';

const metrics = createEmfMetrics('Outrider', () => Date.now());

/** Fed by the queue of one network. */
export const handler = createHandler(
  oncePerProcess(() => buildScaleUp(readEnvironment(), metrics)),
);
