import { recordAnswers } from '#adapters/aws/record-answers.ts';
import { snapshotFolders } from '#adapters/files/snapshot-folder.ts';
import { recordLists } from '#adapters/kubernetes/recorded-lists.ts';
import { namingSecret } from '#adapters/kubernetes/refused-identity.ts';
import type { JsonObject } from '#cluster/json.ts';
import { configurationOfCluster } from '#config/configuration-of-cluster.ts';
import { recordSnapshot, type SnapshotRecorded } from '#operations/record-snapshot.ts';
import type { LiveRecording, RecordedPiece } from '#ports/live-recording.ts';
import { type LiveCluster, openLiveCluster } from './live-cluster.ts';
import { clustersAskedFor, openDeployment } from './open-deployment.ts';

export interface LiveSnapshotRequest {
  readonly stack: string;
  readonly cluster: string;
  readonly out: string;
}

/** Records a cluster of a deployment and its groups, for `outrider plan`. */
export const recordLiveCluster = async (
  request: LiveSnapshotRequest,
): Promise<SnapshotRecorded> => {
  const open = await openDeployment(request.stack);
  const [cluster] = clustersAskedFor(open, request.cluster);
  if (cluster === undefined) throw new Error('clustersAskedFor gives the cluster or throws');
  const live = openLiveCluster(cluster);
  try {
    return await recordSnapshot(
      { recording: liveRecording(live, cluster.apiSecret), folders: snapshotFolders },
      {
        cluster: cluster.name,
        out: request.out,
        configuration: configurationOfCluster(open.configurationText, cluster.name),
      },
    );
  } finally {
    live.close();
  }
};

const awsLists = [
  ['AutoScalingGroups', 'auto-scaling-groups'],
  ['LaunchTemplateVersions', 'launch-template-versions'],
  ['InstanceTypes', 'instance-types'],
] as const;

/** GetInstanceTypesFromInstanceRequirements answers by the key of DescribeInstanceTypes, with nothing but names. */
const isTypeName = (entry: JsonObject): boolean =>
  Object.keys(entry).every((key) => key === 'InstanceType');

/** What `nodeGroups.discover()` is answered is what a look reads. */
const liveRecording = (
  { apiClient, awsClients, nodeGroups }: LiveCluster,
  secret: string,
): LiveRecording => ({
  async lists(keep) {
    try {
      return await recordLists(await apiClient(), keep);
    } catch (error) {
      throw namingSecret(error, secret);
    }
  },
  async answers() {
    const kept = [recordAnswers(awsClients.autoScaling), recordAnswers(awsClients.ec2)];
    const { view, problems } = await nodeGroups.discover();
    const own = new Set(view.groups.map(({ name }) => name));
    const listed = (list: string): readonly JsonObject[] =>
      kept
        .flat()
        .flatMap((answer) => (answer[list] as readonly JsonObject[] | undefined) ?? [])
        .filter((entry) => !isTypeName(entry));
    const pieces = awsLists.map(([list, name]): RecordedPiece => {
      const content = listed(list).filter(
        ({ AutoScalingGroupName: group }) => group === undefined || own.has(String(group)),
      );
      return { name, count: content.length, content: { [list]: content } };
    });
    const byAttributes = (view.typesByAttributes ?? []).map(({ group, types }) => ({
      AutoScalingGroupName: group,
      InstanceTypes: types.map((name) => ({ InstanceType: name })),
    }));
    if (byAttributes.length > 0) {
      pieces.push({
        name: 'group-instance-types',
        count: byAttributes.length,
        content: { GroupInstanceTypes: byAttributes },
      });
    }
    return { pieces, problems };
  },
});
