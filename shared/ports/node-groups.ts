import type { Problem } from '#cluster/problem.ts';
import type {
  AutoScalingGroup,
  ForeignInstance,
  NodeGroupsView,
  ScalingActivity,
} from '#scaling/aws-views.ts';

/** The Auto Scaling groups of one cluster, found by Cluster Autoscaler's discovery tags. */
export interface NodeGroups {
  /** Groups, with the launch templates and instance types that they name. */
  discover(): Promise<{ readonly view: NodeGroupsView; readonly problems: readonly Problem[] }>;
  /** The newest launches of a group and what became of them, newest first; AWS keeps six weeks. */
  launches(group: string): Promise<readonly ScalingActivity[]>;
  /** Of instances that are in none of this cluster's groups: those that another cluster's group has. */
  foreign(instanceIds: readonly string[]): Promise<readonly ForeignInstance[]>;
  /** Fresh, never cached. `undefined` where the group is gone. */
  capacity(group: string): Promise<GroupCapacity | undefined>;
  /**
   * The caller has just read `capacity`. Sent once, never repeated by the adapter: a repetition after
   * somebody else's raise would lower the group.
   */
  setDesiredCapacity(group: string, desired: number): Promise<void>;
}

export type GroupCapacity = Pick<
  AutoScalingGroup,
  'min' | 'max' | 'desired' | 'instances' | 'newInstancesProtected'
>;
