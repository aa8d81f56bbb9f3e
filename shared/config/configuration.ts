import type { ScalingPolicy } from '#scaling/policy.ts';

/** `outrider.yaml`, checked and with every default filled in. */
export interface Configuration {
  readonly networks: readonly NetworkConfiguration[];
  readonly clusters: readonly ClusterConfiguration[];
}

export interface NetworkConfiguration {
  readonly name: string;
  /** Absent: the functions of this network run outside any VPC (API servers with a public address). */
  readonly vpc?: {
    readonly vpcId: string;
    readonly subnetIds: readonly string[];
    readonly securityGroupIds: readonly string[];
  };
}

export interface ClusterConfiguration {
  readonly name: string;
  /** Name of one of `networks`. */
  readonly network: string;
  /** Name of the Secrets Manager secret with `{ server, ca, token }`. */
  readonly apiSecret: string;
  /** Tags that a group must carry; an empty value accepts any. Default: Cluster Autoscaler's two. */
  readonly discoveryTags: Readonly<Record<string, string>>;
  /** Set where the cluster's groups are in another account: the role there that Outrider takes on. */
  readonly account?: ClusterAccount;
  /** A relay is expected to run beside the cluster: an alarm rings when its heartbeat stops. */
  readonly relay: boolean;
  readonly policy: ScalingPolicy;
}

export interface ClusterAccount {
  readonly roleArn: string;
  readonly externalId: string;
}
