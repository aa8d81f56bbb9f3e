import { burst } from './burst.ts';
import { coldStart } from './cold-start.ts';
import { decide } from './decide.ts';
import { bare, estimator } from './estimator.ts';
import { fleet } from './fleet.ts';
import { large } from './large.ts';
import { openb } from './openb.ts';
import { packing } from './packing.ts';
import { packingVariants } from './packing-variants.ts';
import { readAndDecide } from './read-and-decide.ts';
import type { Workload } from './workload.ts';

/** Every workload of `npm run bench -- --workload NAME`; a new one is one more line here. */
export const workloads: readonly Workload[] = [
  coldStart,
  decide,
  readAndDecide,
  fleet,
  packing,
  packingVariants,
  estimator,
  bare,
  burst,
  large,
  openb,
];
