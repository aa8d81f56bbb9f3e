import { NestedStack } from 'aws-cdk-lib';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { ClusterConfiguration } from '#config/configuration.ts';
import { addAlarm, type Watched } from './alarms.ts';
import { clusterMetric } from './metrics.ts';
import { cutBySize } from './policy-size.ts';

/** Of five sweeps; one failed look is mended by the next. */
const failedLooks = 3;

/** CloudFormation takes 500 resources in one stack; the rest of Outrider's needs its own share. */
const mostInStack = 100;
const mostInNested = 350;

/**
 * Rings for single clusters. An alarm on a search over all clusters is not to be had (CloudWatch takes none
 * for alarms), and one sum would hide which cluster fell silent, so each has its own; where they are too many
 * for the stack they are spread over nested ones.
 */
export const addClusterAlarms = (
  scope: Construct,
  clusters: readonly ClusterConfiguration[],
  topics: readonly ITopic[],
): void => {
  const all = clusters.flatMap(watchedOf);
  if (all.length <= mostInStack) {
    for (const each of all) addAlarm(scope, each, topics);
    return;
  }
  cutBySize(all, () => 1, mostInNested).forEach((some, index) => {
    const nested = new NestedStack(scope, `ClusterAlarms${index + 1}`, {
      description: 'Alarms of single clusters of Outrider.',
    });
    for (const each of some) addAlarm(nested, each, topics);
  });
};

const watchedOf = ({ name, relay }: ClusterConfiguration): readonly Watched[] => [
  {
    id: `Cluster-${name}-Alarm`,
    // Emitted by each look, also by one whose errors were handled and so are none of the function's.
    metric: clusterMetric('LooksFailed', name),
    rings: 'above',
    threshold: failedLooks,
    missing: TreatMissingData.NOT_BREACHING,
    description: `Cluster ${name} could not be looked at more than ${failedLooks} times in five minutes: nothing is scaled there. The function's log says which call failed.`,
  },
  ...(relay ? [heartbeat(name)] : []),
];

const heartbeat = (name: string): Watched => ({
  id: `Cluster-${name}-HeartbeatAlarm`,
  metric: clusterMetric('RelayHeartbeats', name),
  rings: 'below',
  threshold: 1,
  missing: TreatMissingData.BREACHING,
  description: `Cluster ${name}: its relay has not been heard for five minutes. Pods are still found, by the sweep, a minute later. Look at the relay's pods and its credentials.`,
});
