/** An API object as it is sent to the API server. */
export type Manifest = Readonly<Record<string, unknown>> & {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly unknown[];
  };
};

/** What the API server does not take with an object, done once it is there. */
export interface Afterwards {
  /** Merged into the object's status. */
  readonly status?: unknown;
  /** Deletion is asked for, and the pod stays until its grace is over. */
  readonly leaving?: boolean;
}

export interface SceneObject extends Afterwards {
  readonly object: Manifest;
  /** Claims of a pod's ephemeral volumes, which it owns; of its namespace. */
  readonly claims?: readonly Manifest[];
}

/** A cluster and the pods that are asked about: nothing else decides the answers. */
export interface Scene {
  /** Where it came from, or what it shows. */
  readonly name: string;
  /** Namespaces, nodes, storage and the pods that are there. */
  readonly cluster: readonly SceneObject[];
  /** Pending pods, each asked about by itself. */
  readonly asked: readonly SceneObject[];
}

/** How a pod is named in reports. */
export const nameOf = ({ object }: SceneObject): string =>
  [object.metadata.namespace, object.metadata.name].filter((part) => part !== undefined).join('/');
