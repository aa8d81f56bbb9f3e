import { changeGroup, groupPatch } from '../change-input.ts';
import type { Change } from '../explanation.ts';
import { beyondRepair, type Fixer } from '../fault.ts';
import type { Site } from '../sites.ts';
import { zonesOfVolumes } from '../zones-wanted.ts';

/** One more group like the site's, in the one zone. */
export const inZone = ({ name, group: state }: Site, zone: string): readonly Change[] => {
  if (state === undefined) return [];
  const { group } = state;
  const copy = `${name}-${zone}`;
  return [
    {
      kind: 'zone',
      message: `add a group like ${name} in ${zone} alone`,
      patch: groupPatch(`${copy}, in all else like ${name}`, {
        AutoScalingGroupName: copy,
        AvailabilityZones: [zone],
        MinSize: 0,
        MaxSize: group.max,
      }),
      // A group that launches there already has a subnet and what else the zone needs.
      size: group.zones.includes(zone) ? 0 : 1,
      slot: `zone ${zone}`,
      apply: (input) =>
        changeGroup(input, name, (one) => [
          one,
          { ...one, name: copy, zones: [zone], min: 0, desired: 0, instances: [] },
        ]),
    },
  ];
};

/** A group where the pod's volumes are. */
export const fixVolumePlace: Fixer = (site, { pod, input }) => {
  const fixes = zonesOfVolumes(pod, input).flatMap((zone) => inZone(site, zone));
  return fixes.length === 0 ? beyondRepair : [{ fixes }];
};

/** A group of one zone, where AWS may choose one that would not do. */
export const fixZoneChoice: Fixer = (site, { pod }) => {
  const zones = [...new Set(site.divide(pod).good.map(({ zone }) => zone))];
  return [{ fixes: zones.flatMap((zone) => inZone(site, zone)) }];
};

/** Only those of the group's types that would do. */
export const fixTypeChoice: Fixer = (site, { pod }) => {
  const { good, bad } = site.divide(pod);
  const refused = new Set(bad.map(({ instanceType }) => instanceType));
  const types = [...new Set(good.map(({ instanceType }) => instanceType))].filter(
    (type) => !refused.has(type),
  );
  if (types.length === 0) return beyondRepair;
  const { name } = site;
  const change: Change = {
    kind: 'instanceType',
    message: `let the group ${name} launch only ${types.join(', ')}`,
    patch: groupPatch(name, {
      MixedInstancesPolicy: {
        LaunchTemplate: { Overrides: types.map((type) => ({ InstanceType: type })) },
      },
    }),
    size: 0,
    apply: (input) =>
      changeGroup(input, name, (group) => [
        {
          ...group,
          overrides: group.overrides.filter(({ instanceType = '' }) =>
            types.includes(instanceType),
          ),
        },
      ]),
  };
  return [{ fixes: [change] }];
};
