/** Whose Auto Scaling group one is: AWS's own events name the group and no cluster. */
export interface GroupOwners {
  /** Clusters whose discovery tags the group carries now; empty where it is nobody's, or gone. */
  ownersOf(group: GroupName): Promise<readonly GroupOwner[]>;
}

export interface GroupName {
  /** Twelve digits. */
  readonly account: string;
  readonly name: string;
}

export interface GroupOwner {
  readonly cluster: string;
  readonly network: string;
}
