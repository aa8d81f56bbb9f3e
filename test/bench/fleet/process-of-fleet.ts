import { autoScalingNodeGroups } from '#adapters/aws/auto-scaling-node-groups.ts';
import {
  type InstanceRequirementsCatalogue,
  instanceRequirementsCatalogue,
} from '#adapters/aws/ec2-instance-requirements.ts';
import {
  type InstanceTypeCatalogue,
  instanceTypeCatalogue,
} from '#adapters/aws/ec2-instance-types.ts';
import { foreignInstances } from '#adapters/aws/foreign-instances.ts';
import {
  type LaunchTemplateCatalogue,
  launchTemplateCatalogue,
} from '#adapters/aws/launch-template-catalogue.ts';
import type { NodeGroups } from '#ports/node-groups.ts';
import { defaultDiscoveryTags } from '#scaling/discovery.ts';
import type { ApiMeter } from './api-meter.ts';
import type { FleetCluster } from './fleet-clusters.ts';
import type { SimulatedClients } from './simulated-aws.ts';

/** One process of the function, with all that it keeps from look to look. */
export interface FleetProcess {
  /** What it asks AWS through for a look at this cluster; a first look into an account assumes its role. */
  nodeGroups(cluster: FleetCluster): NodeGroups;
  /** How often it asked for the groups of a cluster. */
  asked(): number;
}

export interface ProcessParts {
  readonly meter: ApiMeter;
  readonly clientsOf: (account: string) => SimulatedClients;
  readonly nowMs: () => number;
}

/** An assumed role lasts an hour and is taken anew five minutes before its end. */
const credentialsKeptMs = 55 * 60_000;

interface Kept {
  readonly instanceTypes: InstanceTypeCatalogue;
  readonly launchTemplates: LaunchTemplateCatalogue;
  readonly requirements: InstanceRequirementsCatalogue;
}

/** The real adapters over simulated clients, with their caches. */
export const fleetProcess = ({ meter, clientsOf, nowMs }: ProcessParts): FleetProcess => {
  const kept = new Map<string, Kept>();
  let asked = 0;
  const credentials = new Map<string, number>();

  const catalogues = (account: string): Kept => {
    const known = kept.get(account);
    if (known !== undefined) return known;
    const { ec2 } = clientsOf(account);
    const made = {
      instanceTypes: instanceTypeCatalogue(ec2, nowMs),
      launchTemplates: launchTemplateCatalogue(ec2, nowMs),
      requirements: instanceRequirementsCatalogue(ec2, nowMs),
    };
    kept.set(account, made);
    return made;
  };

  const assumeRole = (account: string): void => {
    if (account === 'main' || (credentials.get(account) ?? 0) > nowMs()) return;
    meter.call('main', 'sts:AssumeRole');
    credentials.set(account, nowMs() + credentialsKeptMs);
  };

  return {
    asked: () => asked,
    nodeGroups: ({ name, account }) => {
      const { autoScaling } = clientsOf(account);
      const discoveryTags = defaultDiscoveryTags(name);
      const adapter = autoScalingNodeGroups({
        autoScaling,
        raising: autoScaling,
        discoveryTags,
        foreign: foreignInstances(autoScaling, { discoveryTags }),
        ...catalogues(account),
      });
      return {
        ...adapter,
        discover: async () => {
          asked += 1;
          assumeRole(account);
          return adapter.discover();
        },
      };
    },
  };
};
