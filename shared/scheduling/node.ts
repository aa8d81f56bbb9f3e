import type { Taint } from '#cluster/constraints.ts';
import type { Resources } from '#cluster/resources.ts';
import type { CsiNodeView } from '#cluster/storage-views.ts';

/** What a node offers before any pod is on it: a NodeView is one, and so is a group's template. */
export interface NodeTemplate {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly unschedulable: boolean;
  /** With `pods`; a node that says nothing of pods takes none. */
  readonly allocatable: Resources;
  /** What its kubelet declares. Absent: nothing. */
  readonly declaredFeatures?: readonly string[];
  /** The CSI drivers that a planned node will have; a node that exists has the CsiNodeView of its name. */
  readonly csi?: Pick<CsiNodeView, 'drivers' | 'migrated'>;
}
