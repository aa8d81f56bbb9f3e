import type { ApiCounts } from './api-meter.ts';

/** What a fleet is, and what happens in it in the time that is counted. */
export interface FleetActivity {
  readonly clusters: number;
  /** A whole number of five minutes, so that every cluster has its share of sweeps that ask AWS. */
  readonly minutes: number;
  readonly groupsPerCluster: number;
  /** Launch templates of one cluster that its groups name by `$Latest` or `$Default`. */
  readonly movingTemplatesPerCluster: number;
  /** How often each kind of episode happens. */
  readonly episodes: Readonly<Record<EpisodeKind, number>>;
}

/**
 * Pods come that need one node more; or they do while the group chosen first has no capacity, so that
 * another is raised too. Found by a hint, or by the sweep.
 */
export type EpisodeKind = 'raise' | 'raiseSwept' | 'failover' | 'failoverSwept';

/** What an episode adds to a quiet cluster. */
interface Episode {
  /** Further looks: by the hint of a pod, and by the word of a failed launch. */
  readonly looks: number;
  /** Looks that ask AWS: those, and the sweeps until all is quiet again. */
  readonly askingLooks: number;
  /** Of them, those within a minute after another, which still know what `$Default` is. */
  readonly templatesKnown: number;
  /** Raises and takings back, each with a fresh read before it. */
  readonly acts: number;
  /** Looks at the launches of a group that misses instances. */
  readonly launchesRead: number;
  /** Decisions that differ from the one before. */
  readonly decisions: number;
  /** Fenced writes beside those of decisions: an intent and its end for each act, observations, the head. */
  readonly otherWrites: number;
  readonly podEvents: number;
}

const episodes: Readonly<Record<EpisodeKind, Episode>> = {
  // The hint's look raises; the next sweep sees the node usable.
  raise: {
    looks: 1,
    askingLooks: 2,
    templatesKnown: 1,
    acts: 1,
    launchesRead: 0,
    decisions: 2,
    otherWrites: 5,
    podEvents: 2,
  },
  raiseSwept: {
    looks: 0,
    askingLooks: 2,
    templatesKnown: 0,
    acts: 1,
    launchesRead: 0,
    decisions: 2,
    otherWrites: 5,
    podEvents: 2,
  },
  // Three acts: a raise, its taking back, the raise of another group, of which the pods hear at once. A group that is backed off keeps its
  // cluster from being quiet for five minutes.
  failover: {
    looks: 2,
    askingLooks: 7,
    templatesKnown: 2,
    acts: 3,
    launchesRead: 1,
    decisions: 5,
    otherWrites: 13,
    podEvents: 4,
  },
  failoverSwept: {
    looks: 1,
    askingLooks: 7,
    templatesKnown: 1,
    acts: 3,
    launchesRead: 1,
    decisions: 4,
    otherWrites: 12,
    podEvents: 4,
  },
};

const groupsPerPage = 100;
const wakeupsPerCall = 10;
const listsPerLook = 13;
/** Of a quiet cluster one sweep in five asks AWS. */
const sweepsPerAsking = 5;

/**
 * The calls that a fleet makes whose caches are full and of which nothing is throttled. Nodes and pods of a
 * cluster fit one page each. What fills the caches is `cacheFills`.
 */
export const apiCallsOfFleet = (fleet: FleetActivity): ApiCounts => {
  const { clusters, minutes, groupsPerCluster, movingTemplatesPerCluster } = fleet;
  const happened = (Object.keys(episodes) as EpisodeKind[]).map((kind) => ({
    times: fleet.episodes[kind],
    each: episodes[kind],
  }));
  const sum = (of: keyof Episode): number =>
    happened.reduce((total, { times, each }) => total + times * each[of], 0);

  const looks = clusters * minutes + sum('looks');
  const asking = (clusters * minutes) / sweepsPerAsking + sum('askingLooks');
  const pages = Math.ceil(groupsPerCluster / groupsPerPage);
  return {
    'sqs:SendMessageBatch': minutes * Math.ceil(clusters / wakeupsPerCall),
    'secretsmanager:GetSecretValue': looks,
    'dynamodb:UpdateItem': 2 * looks,
    'dynamodb:Query': looks,
    'dynamodb:GetItem': looks,
    'dynamodb:TransactWriteItems': sum('decisions') + sum('otherWrites'),
    's3:PutObject': sum('decisions'),
    'kubernetes:list': listsPerLook * looks,
    'kubernetes:createEvent': sum('podEvents'),
    'autoscaling:DescribeAutoScalingGroups': asking * pages + sum('acts'),
    'autoscaling:DescribeScalingActivities': sum('launchesRead'),
    'autoscaling:SetDesiredCapacity': sum('acts'),
    'ec2:DescribeLaunchTemplateVersions':
      (asking - sum('templatesKnown')) * movingTemplatesPerCluster,
  };
};

export interface CachesOfFleet {
  readonly processes: number;
  readonly minutes: number;
  readonly clusters: number;
  /** Launch templates of one cluster that its groups name by number. */
  readonly numberedTemplatesPerCluster: number;
  /** Beside the one where Outrider runs. */
  readonly otherAccounts: number;
  /** Sets of instance types that clusters have, different from each other. */
  readonly kindsOfTypes: number;
}

/** The most calls that fill the caches of new processes: each process asks for itself. */
export const cacheFills = (fleet: CachesOfFleet): ApiCounts => {
  const { processes, minutes, clusters, otherAccounts } = fleet;
  const times = (keptMinutes: number): number => Math.ceil(minutes / keptMinutes) + 1;
  return {
    // A numbered version never changes: once in the life of a process.
    'ec2:DescribeLaunchTemplateVersions': processes * clusters * fleet.numberedTemplatesPerCluster,
    'ec2:DescribeInstanceTypes': processes * (1 + otherAccounts) * fleet.kindsOfTypes * times(20),
    'sts:AssumeRole': processes * otherAccounts * times(55),
  };
};
