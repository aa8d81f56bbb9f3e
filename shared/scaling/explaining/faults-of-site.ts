import { beyondRepair, type Fault, type Fixer } from './fault.ts';
import { fixBackOff, fixDecisionLimit, fixMaximum, fixSuspended } from './fixes/groups.ts';
import {
  fixClusterNodes,
  fixClusterResources,
  fixGroupNodes,
  fixNewNodes,
} from './fixes/limits.ts';
import { fixNodeAffinity } from './fixes/node-affinity.ts';
import { fixNodeSelector } from './fixes/node-labels.ts';
import { uncordon } from './fixes/nodes.ts';
import { fixAffinity, fixAntiAffinity, fixHostPorts, fixSpread } from './fixes/other-pods.ts';
import { fixRequests } from './fixes/requests.ts';
import { fixBinding, fixMissingClaims } from './fixes/storage.ts';
import { fixTaints } from './fixes/taints.ts';
import { fixTypeChoice, fixVolumePlace, fixZoneChoice } from './fixes/zones.ts';
import type { Look } from './look.ts';
import type { Site } from './sites.ts';

/** Who mends what; a code that is not here cannot be mended by a change that could be simulated. */
const fixers: ReadonlyMap<string, Fixer> = new Map([
  ['nodeSelector', fixNodeSelector],
  ['nodeAffinity', fixNodeAffinity],
  ['nodeName', fixNodeAffinity],
  ['untoleratedTaint', fixTaints],
  ['unschedulable', uncordon],
  ['insufficientResource', fixRequests],
  ['hostPort', fixHostPorts],
  ['topologySpread', fixSpread],
  ['podAffinity', fixAffinity],
  ['podAntiAffinity', fixAntiAffinity],
  ['volumeNotFound', fixMissingClaims],
  ['volumeBinding', fixBinding],
  ['volumeZone', fixVolumePlace],
  ['zoneNotGuaranteed', fixZoneChoice],
  ['instanceTypeNotGuaranteed', fixTypeChoice],
  ['groupAtMaximum', fixMaximum],
  ['backedOff', fixBackOff],
  ['launchSuspended', fixSuspended],
  ['decisionLimit', fixDecisionLimit],
  ['newNodeLimit', fixNewNodes],
  ['clusterNodeLimit', fixClusterNodes],
  ['clusterResourceLimit', fixClusterResources],
  ['groupNodeLimit', fixGroupNodes],
]);

/** Volumes that are elsewhere are told of by two rules, and one change mends both. */
const toldTwice: readonly (readonly [string, string])[] = [['volumeZone', 'volumeBinding']];

/** All that keeps the pod from the site. */
export const faultsOf = (site: Site, look: Look): readonly Fault[] => {
  const codes = [...site.refusals(look.pod)];
  const counted = codes.filter(
    (code) => !toldTwice.some(([one, other]) => code === one && codes.includes(other)),
  );
  return counted.flatMap((code) => fixers.get(code)?.(site, look) ?? beyondRepair);
};
