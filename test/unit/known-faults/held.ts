import { groupsAndLaunches } from './groups-and-launches.ts';
import type { HeldFault } from './held-fault.ts';
import { prioritiesAndSpeed } from './priorities-and-speed.ts';
import { templatesAndCounting } from './templates-and-counting.ts';
import { zonesAndVolumes } from './zones-and-volumes.ts';

export const held: readonly HeldFault[] = [
  ...templatesAndCounting,
  ...zonesAndVolumes,
  ...groupsAndLaunches,
  ...prioritiesAndSpeed,
];
