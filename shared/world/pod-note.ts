import type { PodEvent } from '#cluster/pod-event.ts';

/** A Kubernetes Event as the simulated cluster keeps it: when it was said plays no part there. */
export type PodNote = Omit<PodEvent, 'atMs'>;
