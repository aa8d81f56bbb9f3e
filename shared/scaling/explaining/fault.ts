import type { Change } from './explanation.ts';
import type { Look } from './look.ts';
import type { Site } from './sites.ts';

/** One thing that keeps the pod from a site, and what would mend it: any of them. */
export interface Fault {
  readonly fixes: readonly Change[];
}

/** What is wrong at a site, of the one kind that the fixer knows. */
export type Fixer = (site: Site, look: Look) => readonly Fault[];

export const beyondRepair: readonly Fault[] = [{ fixes: [] }];
