import type { PodNote } from './pod-note.ts';

/** Something that happened in the world, told once, in order. Pods are named `namespace/name`. */
export type Happening = { readonly atMs: number } & (
  | { readonly kind: 'podsCreated'; readonly workload: string; readonly pods: readonly string[] }
  /** The scheduler marked them so for the first time. */
  | { readonly kind: 'podsUnschedulable'; readonly pods: readonly string[] }
  | { readonly kind: 'podBound'; readonly pod: string; readonly node: string }
  | {
      readonly kind: 'podRunning';
      readonly pod: string;
      readonly workload: string;
      readonly node: string;
      readonly afterMs: number;
    }
  | {
      readonly kind: 'podFinished';
      readonly pod: string;
      readonly workload: string;
      readonly node: string;
    }
  | {
      readonly kind: 'desiredChanged';
      readonly group: string;
      readonly from: number;
      readonly to: number;
    }
  | ({ readonly kind: 'instanceLaunched' } & InstanceFacts)
  | {
      readonly kind: 'launchFailed';
      readonly group: string;
      readonly count: number;
      readonly zones: readonly string[];
      readonly instanceTypes: readonly string[];
      readonly code: 'InsufficientInstanceCapacity';
      /** When Auto Scaling tries again by itself. */
      readonly retryAtMs: number;
    }
  | ({ readonly kind: 'nodeRegistered'; readonly node: string } & InstanceFacts)
  | ({
      readonly kind: 'nodeReady';
      readonly node: string;
      readonly afterMs: number;
    } & InstanceFacts)
  /** By now it should have been a Node. */
  | ({ readonly kind: 'nodeMissing'; readonly afterMs: number } & InstanceFacts)
  /** By now it should have been Ready. */
  | ({ readonly kind: 'nodeNotReady'; readonly node: string } & InstanceFacts)
  /** Ready without the extended resources of its devices, which come later or never. */
  | ({
      readonly kind: 'devicesMissing';
      readonly node: string;
      readonly resources: readonly string[];
    } & InstanceFacts)
  | ({
      readonly kind: 'devicesAppeared';
      readonly node: string;
      readonly resources: readonly string[];
    } & InstanceFacts)
  | ({ readonly kind: 'instanceEnded'; readonly cause: 'scaleIn' | 'crash' } & InstanceFacts)
  /** With their node; their controllers make others. */
  | { readonly kind: 'podsLost'; readonly node: string; readonly pods: readonly string[] }
  | ({ readonly kind: 'podTold' } & PodNote)
);

export interface InstanceFacts {
  readonly group: string;
  readonly instance: string;
  readonly zone: string;
  readonly instanceType: string;
}
