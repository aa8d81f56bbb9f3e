import type { Deployment } from '#ports/deployments.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { type CheckedCluster, type ClusterPorts, checkCluster } from './cluster-checks.ts';
import { checkDeployment, type DeploymentPorts } from './deployment-checks.ts';

export interface DoctorPorts extends DeploymentPorts {
  /** The ports of one cluster; `done` when they are not needed any more. */
  readonly cluster: (name: string) => Omit<ClusterPorts, 'clock' | 'health'> & {
    readonly done: () => void;
  };
}

export interface DoctorRequest {
  readonly deployment: Deployment;
  readonly configuration: CheckedConfiguration;
  readonly clusters: readonly CheckedCluster[];
}

export interface CheckedConfiguration {
  /** Why the deployed configuration cannot be read. */
  readonly fault?: string;
  /** The local file that it was compared with, and whether the two say the same. */
  readonly local?: { readonly file: string; readonly same: boolean; readonly fault?: string };
}

/** The document that `outrider doctor --json` prints. */
export interface DoctorReport {
  readonly stack: string;
  readonly region: string;
  readonly checks: readonly Check[];
  readonly summary: { readonly ok: number; readonly warn: number; readonly fail: number };
}

/** Clusters looked at side by side. */
const atOnce = 4;

/**
 * Looks at a deployment from end to end and says of each thing whether it is well, and what to do where it is not.
 * Changes nothing. What cannot be asked is a warning, since nobody knows.
 */
export const doctor = async (ports: DoctorPorts, request: DoctorRequest): Promise<DoctorReport> => {
  const { deployment, clusters } = request;
  const checks: Check[] = [
    ...(await checkDeployment(ports, deployment)),
    ...configurationChecks(deployment.stack, request.configuration),
  ];
  for (let from = 0; from < clusters.length; from += atOnce) {
    const some = clusters.slice(from, from + atOnce).map(async (cluster) => {
      const { done, ...own } = ports.cluster(cluster.name);
      try {
        return await checkCluster({ ...ports, ...own }, cluster);
      } finally {
        done();
      }
    });
    checks.push(...(await Promise.all(some)).flat());
  }
  const count = (result: Check['result']): number =>
    checks.filter((check) => check.result === result).length;
  return {
    stack: deployment.stack,
    region: deployment.region,
    checks,
    summary: { ok: count('ok'), warn: count('warn'), fail: count('fail') },
  };
};

const configurationChecks = (
  stack: string,
  { fault, local }: CheckedConfiguration,
): readonly Check[] => {
  const about = { check: 'configuration', subject: `stack ${stack}` };
  if (fault !== undefined) return [fail(about, fault, 'deploy outrider.yaml again (cdk deploy)')];
  const readable = ok(about, 'the deployed outrider.yaml can be read');
  if (local === undefined) return [readable];
  if (local.fault !== undefined) return [readable, fail(about, local.fault, 'mend the file')];
  return [
    local.same
      ? ok(about, `is deployed as ${local.file} says`)
      : warn(about, `is not deployed as ${local.file} says`, 'deploy it (cdk deploy)'),
  ];
};
