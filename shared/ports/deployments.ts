/** Outrider as it stands in an account, by the outputs of its stack. */
export interface Deployments {
  /** Throws `notFound` where there is no such stack here, `invalid` where it is none of Outrider's. */
  find(stack: string): Promise<Deployment>;
}

export interface Deployment {
  readonly stack: string;
  /** CloudFormation's word: `UPDATE_COMPLETE`. */
  readonly status: string;
  readonly region: string;
  readonly table: string;
  readonly decisionsBucket: string;
  readonly eventBus: string;
  /** Where the deployed `outrider.yaml` is. */
  readonly configuration: { readonly bucket: string; readonly key: string };
  readonly pagesTopicArn: string;
  readonly networks: readonly DeployedNetwork[];
  /** Where events of AWS come in that are forwarded to a cluster's network. */
  readonly forwarding: { readonly queueUrl: string; readonly deadLetterQueueUrl: string };
}

export interface DeployedNetwork {
  /** The network's name without its hyphens, which the names of outputs cannot hold. */
  readonly key: string;
  readonly queueUrl: string;
  readonly deadLetterQueueUrl: string;
  readonly functionName: string;
}
