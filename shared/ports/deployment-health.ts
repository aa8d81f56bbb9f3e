/** What AWS's own services tell of a deployment, without changing anything. */
export interface DeploymentHealth {
  /** Milliseconds by which AWS's clock is ahead of this machine's; exact to a second. */
  clockAheadMs(): Promise<number>;
  functionState(name: string): Promise<FunctionState>;
  /** Alarms of the stack that are in state ALARM. */
  ringing(stack: string): Promise<readonly RingingAlarm[]>;
  queueDepth(url: string): Promise<QueueDepth>;
  /** `undefined` where CloudWatch has no data of that time. */
  metric(question: MetricQuestion): Promise<number | undefined>;
  /** Confirmed subscriptions of a topic. */
  subscribers(topicArn: string): Promise<number>;
  /** Quota of running On-Demand vCPUs, by the quota's code. */
  vcpuQuota(code: string): Promise<number>;
}

export interface FunctionState {
  /** Lambda's words: `Active`, `Pending`, `Inactive`, `Failed`. */
  readonly state: string;
  readonly reason?: string;
}

export interface RingingAlarm {
  readonly name: string;
  /** What our alarms say to do. */
  readonly description: string;
  readonly sinceMs?: number;
}

export interface QueueDepth {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

export interface MetricQuestion {
  /** Absent: Outrider's own. */
  readonly namespace?: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: 'Sum' | 'Maximum' | 'SampleCount';
  /** From then until now. */
  readonly sinceMs: number;
}
