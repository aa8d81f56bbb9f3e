import { heartbeatDetailType } from './heartbeat.ts';
import { kubernetesEventDetailType } from './kubernetes-event.ts';
import { nodeSignalDetailType } from './node-signal.ts';
import { podPendingDetailType } from './pod-pending.ts';

/** Every kind of event that comes from beside a cluster: what its credentials may put, and a rule routes. */
export const clusterDetailTypes: readonly string[] = [
  podPendingDetailType,
  nodeSignalDetailType,
  heartbeatDetailType,
  kubernetesEventDetailType,
];
