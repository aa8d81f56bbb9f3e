import * as z from 'zod';
import { isJsonObject, type JsonObject } from '#cluster/json.ts';
import { configurationSchema } from './configuration-schema.ts';
import { amounts, bytes, dollars, durationSeconds, milliCpu, perMille, taint } from './fields.ts';

/** A quantity as Kubernetes writes it: `100m`, `1.5Gi`, `1e3`, or a number. */
const quantity = {
  type: ['string', 'number'],
  pattern: '^\\+?([0-9]+\\.?[0-9]*|\\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]+)?$',
  minimum: 0,
};

/** What an editor may know of the fields that the reader turns from text into values. */
const written: ReadonlyMap<unknown, JsonObject> = new Map<unknown, JsonObject>([
  [
    durationSeconds,
    { type: 'string', pattern: '^([0-9]{1,9}[smhd])+$', examples: ['15m', '1h30m'] },
  ],
  [dollars, { type: 'number', minimum: 0, maximum: 1_000_000, examples: [0.096] }],
  [milliCpu, { ...quantity, examples: ['100m', 2] }],
  [bytes, { ...quantity, examples: ['500Mi', '1Gi'] }],
  [perMille, { type: 'string', pattern: '^[0-9]{1,3}(\\.[0-9])?%$', examples: ['10%', '5.5%'] }],
  [
    taint,
    {
      type: 'string',
      pattern:
        '^[A-Za-z0-9][A-Za-z0-9_./-]{0,252}(=[A-Za-z0-9_.-]{0,63})?:(NoSchedule|PreferNoSchedule|NoExecute)$',
      examples: ['dedicated=batch:NoSchedule'],
    },
  ],
]);

/** By key; where two sections have the same key with another meaning, by section and key. */
const descriptions: Readonly<Record<string, string>> = {
  networks:
    'Where functions stand that speak to API servers. Default: one network outside any VPC.',
  clusters: 'The clusters looked after.',
  'networks.name': 'Lower case letters, digits and hyphens.',
  vpc: 'Absent where the API servers have public addresses.',
  vpcId: 'The VPC.',
  subnetIds: 'Subnets with a way to the API servers and to AWS.',
  securityGroupIds: 'Security groups of the functions.',
  'clusters.name': 'Lower case letters, digits, dots and hyphens; each once.',
  network: 'Name of one of networks. Default: the only one.',
  apiSecret:
    'Secrets Manager secret that says how to reach the API server. Default: outrider/<name>.',
  discoveryTags:
    "Tags that an Auto Scaling group must carry; an empty value accepts any. Default: Cluster Autoscaler's two.",
  account: "The role to take on where the cluster's groups are in another account.",
  roleArn: 'ARN of the role in the other account.',
  externalId: "External id that the role's trust policy asks for.",
  relay:
    'A relay runs beside the cluster: an alarm rings when its heartbeat stops. Default: false.',
  mode: 'observe says what it would do; act does it. Default: observe, in a group that of its cluster.',
  scaling: 'How many nodes, when.',
  priorityCutoff: 'Pods of lower priority neither add nodes nor count. Default: -10.',
  'groups.startLimit': 'The same for a group, where its tags do not give it.',
  startLimit: 'From launch to a usable node. Default: 15m.',
  maxNodesPerDecision: 'The most nodes that one decision adds to one group. Default: 1000.',
  trialsPerDecision: 'The most work that one decision does. Default: 200000000.',
  expander:
    'How the group is chosen: one expander, or several of which each narrows what the one before it leaves. Default: least-waste.',
  replaysScheduler:
    'Plans are replayed as the scheduler would bind, and nodes are added until no pod is left. Default: true.',
  packingTrials:
    'How many splits of two nodes are tried to make a plan by price cheaper. Default: 150000.',
  prices: 'On-demand prices in dollars per hour by instance type, for the expander price.',
  balanceSimilarGroups: 'Nodes are shared out evenly among groups that are alike. Default: true.',
  balancingIgnoreLabels:
    'Labels in which groups that are alike may differ, beside those of zone, host and node group.',
  limits: 'What the cluster may grow to, all of its nodes counted.',
  nodes: 'The most nodes of the cluster.',
  newNodes: 'The most nodes that one decision adds to all groups together.',
  'limits.resources':
    'The most of a resource that all nodes have together: cpu, memory, nvidia.com/gpu.',
  gangs: 'Pods that are of use only together: nodes are added for all of them or for none.',
  'gangs.labels':
    "Keys of labels whose value names a pod's gang; an empty list: there are no gangs.",
  minimum:
    'Keys of labels or annotations that give how many pods of the gang must run. Default without one: all.',
  maxNodes: 'The most nodes of the group, where that is less than its own maximum.',
  headroom: 'Room that is kept free in the group.',
  'headroom.nodes': 'Nodes without pods but those of DaemonSets.',
  'headroom.pods': 'Room for pods of one size.',
  count: 'How many pods.',
  requests: 'What one pod asks for: cpu, memory, nvidia.com/gpu.',
  backOff: 'How long a group is left alone whose launches failed.',
  initial: 'After the first failure. Default: 5m.',
  max: 'The longest, doubling up to it. Default: 30m.',
  reset: 'Forgotten so long after its end. Default: 3h.',
  launchesPerPod: 'A pod for which so many launches brought no binding causes no more. Default: 3.',
  schedulers: 'Schedulers whose pods are looked after. Default: default-scheduler.',
  preemptionLimit:
    'So long a pod that preemption would help is expected to preempt, and gets no node. Default: 5m.',
  startupTaints: 'Keys of taints that a starting node carries for a while.',
  kubelet: 'How the kubelets of the nodes are configured.',
  maxPods: 'auto, eni (by network interfaces), or a number. Default: auto.',
  kubeReserved: 'formula, or cpu, memory and ephemeral-storage. Default: formula.',
  systemReserved: 'cpu, memory and ephemeral-storage. Default: none.',
  evictionHard: "As in the kubelet's own configuration.",
  'memory.available': 'Memory kept free. Default: 100Mi.',
  'nodefs.available': "Share of the node's file system kept free. Default: 10%.",
  vmMemoryOverhead: 'Share of memory that the operating system never sees. Default: 5.5%.',
  instanceStorePolicy: 'RAID0: what pods write goes to the instance store, where there is one.',
  cpu: 'Such as 100m or 2.',
  memory: 'Such as 500Mi.',
  'ephemeral-storage': 'Such as 1Gi.',
  groups: 'What is different in some groups; the first entry whose match fits counts.',
  match: "A group's name; * stands for any run of characters.",
  labels: "Labels of a new node that the group's tags do not give.",
  taints: "Taints of a new node that the group's tags do not give.",
  resources: 'Resources that its devices give: nvidia.com/gpu: 1.',
};

const described = (schema: unknown, section: string): unknown => {
  if (Array.isArray(schema)) return schema.map((one) => described(one, section));
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties' && isJsonObject(value)) return [key, namedIn(value, section)];
      const goesOn = ['items', 'anyOf', 'additionalProperties'].includes(key);
      return [key, goesOn ? described(value, section) : value];
    }),
  );
};

const namedIn = (properties: JsonObject, section: string): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const description = descriptions[`${section}.${key}`] ?? descriptions[key];
      const inner = described(schema, key);
      return [key, description === undefined ? inner : { description, ...(inner as object) }];
    }),
  );

/**
 * The JSON Schema of `outrider.yaml` as people write it, for editors: made of the schema that reads it, so that the two
 * cannot differ. What no schema can say (a network that is not named, two clusters with the same
 * tags) is left to the reader.
 */
export const configurationJsonSchema = (): JsonObject => {
  const made = z.toJSONSchema(configurationSchema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, written.get(zodSchema));
      if (zodSchema === amounts) jsonSchema.additionalProperties = { ...quantity } as never;
    },
  });
  const { $schema, ...rest } = described(made, '') as Record<string, unknown>;
  return { $schema, title: 'outrider.yaml', ...rest };
};
