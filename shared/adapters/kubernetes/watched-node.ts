/** One of a node's conditions. */
export interface NodeCondition {
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  readonly reason?: string;
}

/** What a watch of nodes keeps of one. */
export interface WatchedNode {
  readonly name: string;
  readonly uid: string;
  readonly conditions: readonly NodeCondition[];
}

interface RawNode {
  readonly metadata?: { readonly name?: unknown; readonly uid?: unknown };
  readonly status?: {
    readonly conditions?: readonly (Readonly<Record<string, unknown>> | null)[] | null;
  };
}

/** Reads what the relay needs of a node; `undefined` where the object is no node. */
export function readWatchedNode(object: unknown): WatchedNode | undefined {
  const { metadata, status } = (object ?? {}) as RawNode;
  const { name, uid } = metadata ?? {};
  if (typeof name !== 'string' || typeof uid !== 'string' || name === '' || uid === '') {
    return undefined;
  }
  const conditions = Array.isArray(status?.conditions) ? status.conditions : [];
  return { name, uid, conditions: conditions.flatMap(readCondition) };
}

function readCondition(raw: Readonly<Record<string, unknown>> | null): readonly NodeCondition[] {
  const { type, status, reason } = raw ?? {};
  if (typeof type !== 'string' || typeof status !== 'string' || type === '') return [];
  return [{ type, status, ...(typeof reason === 'string' && reason !== '' && { reason }) }];
}
