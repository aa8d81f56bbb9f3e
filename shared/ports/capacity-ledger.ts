import type { LedgerEntry } from '#scaling/ledger.ts';
import type { Lease } from './cluster-leases.ts';

/** What Outrider remembers of each group. Writes are refused (`conflict`) under an outdated lease. */
export interface CapacityLedger {
  read(cluster: string): Promise<readonly LedgerEntry[]>;
  write(lease: Lease, entry: LedgerEntry): Promise<void>;
  remove(lease: Lease, group: string): Promise<void>;
}
