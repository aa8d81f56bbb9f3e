import { counted } from '#cluster/counted.ts';
import type { DeploymentHealth } from '#ports/deployment-health.ts';
import type { NodeGroupsView } from '#scaling/aws-views.ts';
import { templatedGroupsOf } from '#scaling/group-templates.ts';
import { asking, type Check, ok, warn } from './check.ts';
import type { CheckedGroups } from './group-checks.ts';

interface Family {
  readonly name: string;
  /** Of Service Quotas, "Running On-Demand … instances", counted in vCPUs. */
  readonly code: string;
  readonly types: RegExp;
}

/** Source: Amazon EC2 user guide, "On-Demand Instance quotas". The first that fits counts. */
const families: readonly Family[] = [
  { name: 'High Memory', code: 'L-43DA4232', types: /^u-|^u7/ },
  { name: 'Inf', code: 'L-1945791B', types: /^inf/ },
  { name: 'DL', code: 'L-6E869C2A', types: /^dl/ },
  { name: 'Trn', code: 'L-2C3B7624', types: /^trn/ },
  { name: 'HPC', code: 'L-F7808C92', types: /^hpc/ },
  { name: 'G and VT', code: 'L-DB2E81BA', types: /^(g\d|gr\d|vt)/ },
  { name: 'P', code: 'L-417A185B', types: /^p\d/ },
  { name: 'F', code: 'L-74FC7D96', types: /^f\d/ },
  { name: 'X', code: 'L-7295265B', types: /^x\d/ },
  { name: 'Standard (A, C, D, H, I, M, R, T, Z)', code: 'L-1216C47A', types: /^[acdhimrtz]/ },
];

const vcpuOf = (view: NodeGroupsView, type: string): number =>
  view.instanceTypes.find(({ name }) => name === type)?.vcpu ?? 0;

/** vCPUs of each family if every group were at its maximum, of the type that has most of them then. */
const vcpuAtMaximum = (checked: CheckedGroups): ReadonlyMap<Family, number> => {
  const { cluster, snapshot, view, policy, nowMs } = checked;
  const sums = new Map<Family, number>();
  const states = templatedGroupsOf({ cluster, snapshot, nodeGroups: view, policy, nowMs });
  for (const { group, templates } of states) {
    const largest = new Map<Family, number>();
    for (const { instanceType, weight } of templates.templates) {
      const family = families.find(({ types }) => types.test(instanceType));
      if (family === undefined) continue;
      const vcpu = vcpuOf(view, instanceType) * Math.ceil(group.max / weight);
      largest.set(family, Math.max(vcpu, largest.get(family) ?? 0));
    }
    for (const [family, vcpu] of largest) {
      sums.set(family, (sums.get(family) ?? 0) + vcpu);
    }
  }
  return sums;
};

/** Whether the account's On-Demand quotas let the groups grow to their maxima. */
export const checkQuotas = async (
  health: Pick<DeploymentHealth, 'vcpuQuota'>,
  checked: CheckedGroups,
): Promise<readonly Check[]> => {
  const about = { check: 'quota', subject: `cluster ${checked.cluster}` };
  const checks = [...vcpuAtMaximum(checked)].map(([{ name, code }, wanted]) =>
    asking(
      about,
      () => health.vcpuQuota(code),
      (quota) =>
        wanted <= quota
          ? ok(about, `${name}: ${counted(wanted, 'vCPU')} at the groups' maxima, ${quota} allowed`)
          : warn(
              about,
              `${name}: ${counted(wanted, 'vCPU')} at the groups' maxima, ${quota} allowed in the account`,
              `aws service-quotas request-service-quota-increase --service-code ec2 --quota-code ${code} --desired-value ${wanted}`,
            ),
    ),
  );
  return (await Promise.all(checks)).flat();
};
