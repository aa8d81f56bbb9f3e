import type { NodeList } from '../state/node-list.ts';
import { type AssumedClaims, assumedClaims } from './assumed-claims.ts';
import type { Storage } from './storage.ts';
import { type StorageIndex, storageIndex } from './storage-index.ts';
import { type VolumeUse, volumeUse } from './volume-use.ts';

/** What a state knows of storage. */
export interface StateStorage {
  readonly index: StorageIndex;
  readonly use: VolumeUse;
  readonly assumed: AssumedClaims;
}

export function stateStorage(nodes: NodeList, storage: Storage): StateStorage {
  const index = storageIndex(storage);
  return { index, use: volumeUse(nodes, index), assumed: assumedClaims(nodes, index) };
}
