/** Every metric that Outrider emits, by its name in CloudWatch: alarms and dashboards ask for these. */
export type MetricName =
  /** By the reason why they wait. */
  | 'PendingPods'
  | 'NodesRequested'
  | 'NodesRefused'
  | 'SecondsToRaise'
  /** Of the oldest thing that is expected and has not come. */
  | 'LedgerAgeSeconds'
  | 'GroupsBackedOff'
  | 'Decisions'
  | 'LooksFailed'
  | 'LookDuration'
  | 'RelayHeartbeats'
  /** By API, for comparison with its quotas. */
  | 'ApiCalls';
