import { describe, expect, it } from 'vitest';
import type { DoctorPorts, DoctorRequest } from '#operations/doctor/doctor.ts';
import { doctor } from '#operations/doctor/doctor.ts';
import type { ApiAction } from '#ports/api-server-check.ts';
import type { LeaseState } from '#ports/cluster-leases.ts';
import { PortError } from '#ports/port-error.ts';
import {
  actionName,
  healthyApiServer,
  healthyCluster,
  healthyDeployment,
  healthyGroup,
  healthyHealth,
  healthyPorts,
  healthyRequest,
  healthyView,
} from '../../helpers/healthy-deployment.ts';
import { instance, now } from '../../helpers/scaling-builders.ts';

const day = 86_400_000;

const examined = (ports: DoctorPorts, request: Partial<DoctorRequest> = {}) =>
  doctor(ports, { ...healthyRequest, ...request });

/** Everything that is not well: `warn maximum group workers-a`. */
const complaints = async (ports: DoctorPorts, request: Partial<DoctorRequest> = {}) =>
  (await examined(ports, request)).checks
    .filter(({ result }) => result !== 'ok')
    .map(({ result, check, subject }) => `${result} ${check} ${subject}`);

const withGroups = (...groups: readonly Parameters<typeof healthyGroup>[0][]): DoctorPorts =>
  healthyPorts({
    cluster: {
      nodeGroups: {
        ...healthyCluster.nodeGroups,
        discover: async () => ({ view: healthyView(groups.map(healthyGroup)), problems: [] }),
      },
    },
  });

const refusing =
  (code: 'forbidden' | 'timeout' | 'unavailable' | 'invalid' | 'notFound') =>
  async (): Promise<never> => {
    throw new PortError(code, `Call: ${code}`);
  };

describe('a deployment in which all is well', () => {
  it('has no warning, and counts what was looked at', async () => {
    const { checks, summary, stack, region } = await examined(healthyPorts());
    expect(checks.filter(({ result }) => result !== 'ok')).toEqual([]);
    expect(summary).toEqual({ ok: checks.length, warn: 0, fail: 0 });
    expect([stack, region]).toEqual(['Outrider', 'us-east-1']);
  });

  it('names every subject that it looked at', async () => {
    const { checks } = await examined(healthyPorts());
    const subjects = new Set(checks.map(({ subject }) => subject));
    expect([...subjects]).toEqual([
      'stack Outrider',
      'this machine',
      'network main',
      'topic pages',
      'cluster demo',
    ]);
  });
});

describe('whatever cannot be asked', () => {
  const questions = Object.keys(healthyHealth) as (keyof typeof healthyHealth)[];
  it.each(questions)('is a warning with a remedy, never a verdict: %s', async (question) => {
    const { checks, summary } = await examined(
      healthyPorts({ health: { [question]: refusing('forbidden') } }),
    );
    expect(summary.fail).toBe(0);
    const warnings = checks.filter(({ result }) => result === 'warn');
    expect(warnings.length).toBeGreaterThan(0);
    for (const { message, remedy } of warnings) {
      expect(message).toBe('could not be asked: Call: forbidden');
      expect(remedy).toMatch(/right to make that call/);
    }
  });

  it('does not hide what else is there', async () => {
    const ports = healthyPorts({
      cluster: { nodeGroups: { discover: refusing('forbidden'), launches: refusing('forbidden') } },
    });
    expect(await complaints(ports)).toEqual(['warn groups cluster demo']);
  });
});

describe('the deployment', () => {
  it.each([
    ['UPDATE_IN_PROGRESS', 'warn'],
    ['UPDATE_ROLLBACK_COMPLETE', 'warn'],
    ['UPDATE_ROLLBACK_FAILED', 'fail'],
    ['DELETE_FAILED', 'fail'],
  ])('is judged by its stack: %s', async (status, result) => {
    const deployment = { ...healthyDeployment, status };
    expect(await complaints(healthyPorts(), { deployment })).toEqual([
      `${result} stack stack Outrider`,
    ]);
  });

  it.each([
    ['functionState', async () => ({ state: 'Failed' }), 'warn function network main'],
    ['subscribers', async () => 0, 'warn pages topic pages'],
    ['clockAheadMs', async () => 30_000, 'warn clock this machine'],
    ['clockAheadMs', async () => -400_000, 'fail clock this machine'],
    [
      'ringing',
      async () => [{ name: 'Outrider-x', description: 'Look there.' }],
      'fail alarms alarm Outrider-x',
    ],
  ] as readonly (readonly [string, () => Promise<unknown>, string])[])(
    'is told of by %s',
    async (question, answer, complaint) => {
      expect(await complaints(healthyPorts({ health: { [question]: answer } }))).toEqual([
        complaint,
      ]);
    },
  );

  it('has dead letters', async () => {
    expect(await complaints(healthyPorts({ deadLetters: 2 }))).toEqual([
      'warn deadLetters network main',
    ]);
  });

  it('fails where messages grow old, and warns where invocations fail or do not come', async () => {
    const metric = (wanted: string, value: number | undefined): DoctorPorts =>
      healthyPorts({
        health: {
          metric: (question) =>
            question.name === wanted ? Promise.resolve(value) : healthyHealth.metric(question),
        },
      });
    expect(await complaints(metric('ApproximateAgeOfOldestMessage', 900))).toEqual([
      'fail queueAge network main',
    ]);
    expect(await complaints(metric('Errors', 3))).toEqual(['warn functionErrors network main']);
    expect(await complaints(metric('Invocations', undefined))).toEqual([
      'warn functionErrors network main',
    ]);
    expect(await complaints(metric('RelayHeartbeats', 0))).toEqual(['warn relay cluster demo']);
    expect(await complaints(metric('LooksFailed', undefined))).toEqual(['warn looks cluster demo']);
  });

  it('compares its configuration with a local file', async () => {
    const local = { file: 'outrider.yaml', same: false };
    expect(await complaints(healthyPorts(), { configuration: { local } })).toEqual([
      'warn configuration stack Outrider',
    ]);
    const fault = 'the deployed outrider.yaml: is no JSON';
    expect(await complaints(healthyPorts(), { configuration: { fault }, clusters: [] })).toEqual([
      'fail configuration stack Outrider',
    ]);
  });
});

describe('access to a cluster', () => {
  const withServer = (over: Partial<typeof healthyApiServer>): DoctorPorts =>
    healthyPorts({ cluster: { apiServer: { ...healthyApiServer, ...over } } });

  it('fails where the secret is missing or wrong, and asks no further', async () => {
    expect(await complaints(withServer({ access: refusing('notFound') }))).toEqual([
      'fail secret cluster demo',
    ]);
    expect(await complaints(withServer({ access: refusing('forbidden') }))).toEqual([
      'warn secret cluster demo',
    ]);
  });

  it.each([
    [13, 'warn'],
    [-1, 'fail'],
  ])('tells of a token that runs out in %i days', async (days, result) => {
    const access = async () => ({
      ...(await healthyApiServer.access()),
      expiresAtMs: now + days * day,
    });
    expect(await complaints(withServer({ access }))).toEqual([`${result} expiry cluster demo`]);
  });

  it("tells of the API server's clock and certificate", async () => {
    const probe = async () => ({
      version: 'v1',
      clockAheadMs: 11_000,
      certificateExpiresAtMs: now + day,
    });
    expect(await complaints(withServer({ probe }))).toEqual([
      'warn expiry cluster demo',
      'warn clock cluster demo',
    ]);
  });

  it('fails where the API server is out of reach, unless the functions reach it', async () => {
    const probe = refusing('timeout');
    expect(await complaints(withServer({ probe }))).toEqual(['warn apiServer cluster demo']);
    const blind = {
      ...withServer({ probe }),
      health: { ...healthyHealth, metric: async () => undefined },
    };
    expect(await complaints(blind)).toContain('fail apiServer cluster demo');
  });

  it('fails where a right is missing, and names it', async () => {
    const may: typeof healthyApiServer.may = async (action) =>
      actionName(action) !== 'list apps/daemonsets' && healthyApiServer.may(action);
    const { checks } = await examined(withServer({ may }));
    expect(checks.filter(({ result }) => result === 'fail')).toMatchObject([
      { check: 'rights', message: 'its identity may not list daemonsets.apps' },
    ]);
  });

  it('warns where the identity may not watch, so that a large cluster is listed whole each time', async () => {
    const may: typeof healthyApiServer.may = async (action) =>
      action.verb !== 'watch' && healthyApiServer.may(action);
    expect(await complaints(withServer({ may }))).toEqual(['warn rights cluster demo']);
  });

  it('warns where a look would take storage for absent that is there', async () => {
    const may: typeof healthyApiServer.may = async (action) =>
      actionName(action) !== 'list storage.k8s.io/csinodes' && healthyApiServer.may(action);
    const { checks } = await examined(withServer({ may }));
    expect(checks.filter(({ result }) => result === 'warn')).toMatchObject([
      {
        check: 'rights',
        message:
          'its identity may not list csinodes.storage.k8s.io: pods are judged as if there were none',
      },
    ]);
  });

  it('asks for the ConfigMap of priorities by name where an expander goes by it', async () => {
    const asked: ApiAction[] = [];
    const may: typeof healthyApiServer.may = async (action) => {
      asked.push(action);
      return action.resource !== 'configmaps' && healthyApiServer.may(action);
    };
    expect(await complaints(withServer({ may }))).toEqual([]);
    expect(asked.some(({ resource }) => resource === 'configmaps')).toBe(false);
    const clusters = healthyRequest.clusters.map((cluster) => ({
      ...cluster,
      policy: { ...cluster.policy, expander: ['priority'] as const },
    }));
    expect(await complaints(withServer({ may }), { clusters })).toEqual([
      'warn priorities cluster demo',
    ]);
    expect(asked.at(-1)).toMatchObject({
      verb: 'list',
      object: { namespace: 'kube-system', name: 'cluster-autoscaler-priority-expander' },
    });
  });

  it('warns where the identity may do more than it needs', async () => {
    const { checks } = await examined(withServer({ may: async () => true }));
    const [excess] = checks.filter(({ result }) => result === 'warn');
    expect(excess).toMatchObject({ check: 'excessRights' });
    expect(excess?.message).toContain('get secrets');
    expect(excess?.message).toContain('delete nodes');
  });

  it('fails where the identity is refused', async () => {
    expect(await complaints(withServer({ may: refusing('forbidden') }))).toEqual([
      'fail rights cluster demo',
    ]);
  });

  it('fails where another scaler is at work and Outrider acts, warns where it only observes', async () => {
    const leases = [
      {
        namespace: 'kube-system',
        name: 'cluster-autoscaler',
        holder: 'ca-1',
        renewedAtMs: now - 1000,
        durationSeconds: 15,
      },
    ];
    const ports = healthyPorts({
      cluster: {
        clusterApi: {
          snapshot: async () => ({
            snapshot: { nodes: [], pods: [], daemonSets: [], leases },
            problems: [],
          }),
        },
      },
    });
    expect(await complaints(ports)).toEqual(['fail otherScaler cluster demo']);
    const clusters = healthyRequest.clusters.map((cluster) => ({
      ...cluster,
      policy: { ...cluster.policy, mode: 'observe' as const },
    }));
    expect(await complaints(ports, { clusters })).toEqual(['warn otherScaler cluster demo']);
  });
});

describe('groups', () => {
  it('fail where none is found', async () => {
    expect(await complaints(withGroups())).toEqual(['fail groups cluster demo']);
  });

  it.each([
    ['protection', { newInstancesProtected: false }],
    ['protection', { instances: [instance('i-1', { protectedFromScaleIn: false })], desired: 1 }],
    ['azRebalance', { zones: ['us-east-1a', 'us-east-1b'] }],
    ['maximum', { desired: 10, max: 10 }],
    ['groupTags', { tags: { 'k8s.io/cluster-autoscaler/node-template/lable/pool': 'x' } }],
    ['groupTags', { tags: { 'k8s.io/cluster-autoscaler/node-template/label/pool': '-' } }],
  ] as const)('are warned of: %s', async (check, over) => {
    expect(await complaints(withGroups(over))).toEqual([`warn ${check} group workers-a`]);
  });

  it('in two zones are well once AZRebalance is suspended', async () => {
    const over = { zones: ['us-east-1a', 'us-east-1b'], suspendedProcesses: ['AZRebalance'] };
    expect(await complaints(withGroups(over))).toEqual([]);
  });

  it('that are blocked are warned of, and all of them blocked is a failure', async () => {
    const unknown = { name: 'unknown', launchTemplate: { id: 'lt-gone', version: '1' } };
    expect(await complaints(withGroups({}, unknown))).toEqual(['warn blocked group unknown']);
    const suspended = { name: 'suspended', suspendedProcesses: ['Launch'] };
    expect(await complaints(withGroups({}, suspended))).toEqual(['warn blocked group suspended']);
    expect(await complaints(withGroups(unknown))).toEqual([
      'warn blocked group unknown',
      'fail blocked cluster demo',
    ]);
  });

  it('that carry half of the tags are named', async () => {
    const ports = healthyPorts({ cluster: { partlyTagged: async () => ['forgotten'] } });
    expect(await complaints(ports)).toEqual(['warn groupTags group forgotten']);
  });

  it('may want more vCPUs than the account is allowed', async () => {
    const asked: string[] = [];
    const ports = healthyPorts({
      health: {
        vcpuQuota: async (code) => {
          asked.push(code);
          return 19;
        },
      },
    });
    const { checks } = await examined(ports);
    // Ten nodes of two vCPUs.
    expect(checks.filter(({ result }) => result === 'warn')).toMatchObject([
      { check: 'quota', message: expect.stringMatching(/: 20 vCPUs .* 19 allowed/) },
    ]);
    expect(asked).toEqual(['L-1216C47A']);
  });
});

describe('looks that CloudWatch does not know of yet', () => {
  const lateMetrics = { metric: async () => undefined };
  const looksOf = async (state: LeaseState | undefined) => {
    const { checks } = await examined(
      healthyPorts({ health: lateMetrics, cluster: { leases: { read: async () => state } } }),
    );
    return checks.find(({ check }) => check === 'looks');
  };
  const taken = (agoMs: number, over: Partial<LeaseState> = {}): LeaseState => ({
    fence: 1,
    marks: 0,
    takenAtMs: now - agoMs,
    ...over,
  });

  it.each([
    ['came to its end', taken(40_000, { doneAtMs: now - 40_000 }), 'ok', /40 seconds ago and came/],
    [
      'goes on',
      taken(2_000, { holder: { owner: 'x', expiresAtMs: now + 58_000 } }),
      'ok',
      /began 2 seconds ago$/,
    ],
    ['gave up', taken(40_000, { doneAtMs: now - 100_000 }), 'warn', /40 seconds ago and failed/],
    [
      'died',
      taken(90_000, { holder: { owner: 'x', expiresAtMs: now - 30_000 } }),
      'warn',
      /1 minute ago and failed/,
    ],
    [
      'is long ago',
      taken(16 * 60_000, { doneAtMs: now - 16 * 60_000 }),
      'warn',
      /the last look began 16 minutes ago$/,
    ],
    ['is not known', { fence: 1, marks: 0 }, 'warn', /no look is known/],
    ['never was', undefined, 'warn', /no look is known/],
  ] as const)('are testified by the lease: the last one %s', async (_, state, result, message) => {
    expect(await looksOf(state)).toMatchObject({ result, message: expect.stringMatching(message) });
  });

  it('leave a warning where the lease cannot be read', async () => {
    const ports = healthyPorts({
      health: lateMetrics,
      cluster: { leases: { read: refusing('forbidden') } },
    });
    expect(await complaints(ports)).toContain('warn looks cluster demo');
  });
});

describe('what Outrider remembers', () => {
  it('shows a holder that died, a back-off and an intent left open', async () => {
    const entry = { group: 'workers-a', generation: 1, instances: {} };
    const ports = healthyPorts({
      cluster: {
        leases: {
          read: async () => ({
            fence: 1,
            marks: 1,
            holder: { owner: 'x', expiresAtMs: now - 60_000 },
          }),
        },
        ledger: {
          read: async () => [
            {
              ...entry,
              backOff: { failures: 1, atMs: now, untilMs: now + 1, code: 'x', message: 'y' },
              intent: { id: 'i', from: 0, to: 1, atMs: now - 3_600_000, decision: 'd' },
            },
          ],
        },
      },
    });
    expect(await complaints(ports)).toEqual([
      'warn lease cluster demo',
      'warn backOff cluster demo',
      'warn intents cluster demo',
    ]);
  });
});
