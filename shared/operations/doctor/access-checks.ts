import { priorityConfigMap } from '#cluster/read-config-map.ts';
import type { ApiAction, ApiServerCheck } from '#ports/api-server-check.ts';
import type { Clock } from '#ports/clock.ts';
import { failureOf } from '../failure.ts';
import { type Check, expiryCheck, fail, notAsked, ok, spanText, warn } from './check.ts';

/** What no look can do without. */
const needed: readonly ApiAction[] = [
  { verb: 'list', group: '', resource: 'nodes' },
  { verb: 'list', group: '', resource: 'pods' },
  { verb: 'list', group: 'apps', resource: 'daemonsets' },
  { verb: 'list', group: 'coordination.k8s.io', resource: 'leases' },
  { verb: 'create', group: 'events.k8s.io', resource: 'events' },
];

/** What spares a look at a large cluster from listing all of it; `infra/rbac/outrider-read.yaml` grants it too. */
const helpful: readonly ApiAction[] = [
  { verb: 'watch', group: '', resource: 'nodes' },
  { verb: 'watch', group: '', resource: 'pods' },
  { verb: 'watch', group: '', resource: 'persistentvolumeclaims' },
  { verb: 'watch', group: '', resource: 'persistentvolumes' },
  { verb: 'watch', group: 'storage.k8s.io', resource: 'csinodes' },
];

/** Without these a look goes on, and judges pods with volumes or affinity across namespaces wrongly. */
const telling: readonly ApiAction[] = [
  { verb: 'list', group: '', resource: 'namespaces' },
  { verb: 'list', group: '', resource: 'persistentvolumeclaims' },
  { verb: 'list', group: '', resource: 'persistentvolumes' },
  { verb: 'list', group: 'storage.k8s.io', resource: 'storageclasses' },
  { verb: 'list', group: 'storage.k8s.io', resource: 'csinodes' },
  { verb: 'list', group: 'storage.k8s.io', resource: 'csidrivers' },
  { verb: 'list', group: 'storage.k8s.io', resource: 'csistoragecapacities' },
  { verb: 'list', group: 'policy', resource: 'poddisruptionbudgets' },
];

/** Listing it by name is a right that can be given for it alone. */
const priorities: ApiAction = {
  verb: 'list',
  group: '',
  resource: 'configmaps',
  object: { namespace: priorityConfigMap.namespace, name: priorityConfigMap.name },
};

const remedyOfRights = 'kubectl apply -f infra/rbac/outrider-read.yaml';

/** What no look needs and what would make a stolen secret worth having. */
const excessive: readonly ApiAction[] = [
  { verb: 'get', group: '', resource: 'secrets' },
  { verb: 'list', group: '', resource: 'secrets' },
  { verb: 'create', group: '', resource: 'pods' },
  { verb: 'delete', group: '', resource: 'pods' },
  { verb: 'patch', group: '', resource: 'nodes' },
  { verb: 'delete', group: '', resource: 'nodes' },
  { verb: 'create', group: 'rbac.authorization.k8s.io', resource: 'clusterrolebindings' },
  { verb: '*', group: '*', resource: '*' },
];

const tellingSkewMs = 10_000;

export interface AccessPorts {
  readonly clock: Clock;
  readonly apiServer: ApiServerCheck;
}

/** What the checks of one cluster are about. */
export interface CheckedAccess {
  readonly name: string;
  /** Name of its secret. */
  readonly apiSecret: string;
  /** The functions have looked at it lately: one that does not answer here is there for them. */
  readonly functionsReachIt: boolean;
  /** Whether an expander goes by the ConfigMap of priorities. */
  readonly readsPriorities: boolean;
}

/** Secret, API server, certificates, clock and rights of one cluster. */
export const checkAccess = async (
  { clock, apiServer }: AccessPorts,
  { name, apiSecret, functionsReachIt, readsPriorities }: CheckedAccess,
): Promise<readonly Check[]> => {
  const subject = `cluster ${name}`;
  const secret = { check: 'secret', subject };
  const expiry = { check: 'expiry', subject };
  const nowMs = clock.nowMs();
  const checks: Check[] = [];
  try {
    const { identity, server, expiresAtMs, authorityExpiresAtMs } = await apiServer.access();
    checks.push(ok(secret, `${apiSecret} is well-formed: ${server}, by ${identity}`));
    if (expiresAtMs !== undefined) {
      const what = {
        name: `its ${identity}`,
        remedy: `put a new one into the secret ${apiSecret}`,
      };
      checks.push(expiryCheck(expiry, what, { expiresAtMs, nowMs }));
    }
    const authority = {
      name: 'the authority in the secret',
      remedy: `put the new "ca" into the secret ${apiSecret}`,
    };
    checks.push(expiryCheck(expiry, authority, { expiresAtMs: authorityExpiresAtMs, nowMs }));
  } catch (thrown) {
    const { code, message } = failureOf(thrown);
    if (code !== 'invalid' && code !== 'notFound') return [notAsked(secret, thrown)];
    const remedy = `put one of the forms of docs/guides/api-access.md into the secret ${apiSecret}`;
    return [fail(secret, message, remedy)];
  }
  const reached = await serverChecks(apiServer, { subject, nowMs, functionsReachIt });
  checks.push(...reached);
  if (!reached.some(({ check, result }) => check === 'apiServer' && result === 'ok')) return checks;
  const rights = await rightsChecks(apiServer, subject);
  return [
    ...checks,
    ...rights,
    ...(readsPriorities ? await priorityCheck(apiServer, subject) : []),
  ];
};

const serverChecks = async (
  apiServer: ApiServerCheck,
  {
    subject,
    nowMs,
    functionsReachIt,
  }: {
    readonly subject: string;
    readonly nowMs: number;
    readonly functionsReachIt: boolean;
  },
): Promise<readonly Check[]> => {
  const about = { check: 'apiServer', subject };
  try {
    const { version, certificateExpiresAtMs, clockAheadMs } = await apiServer.probe();
    const certificate = {
      name: "the API server's certificate",
      remedy: 'renew it on the control plane (kubeadm certs renew apiserver)',
    };
    const clock = { check: 'clock', subject };
    const off = Math.abs(clockAheadMs ?? 0);
    return [
      ok(about, `answers from this machine: ${version}`),
      expiryCheck({ check: 'expiry', subject }, certificate, {
        expiresAtMs: certificateExpiresAtMs,
        nowMs,
      }),
      off <= tellingSkewMs
        ? ok(clock, "its clock agrees with this machine's")
        : warn(
            clock,
            `its clock is ${spanText(off)} ${(clockAheadMs ?? 0) > 0 ? 'ahead of' : 'behind'} this machine's`,
            'set the clocks of the control plane (NTP)',
          ),
    ];
  } catch (thrown) {
    const { code, message } = failureOf(thrown);
    const said = `does not answer this machine: ${message}`;
    if (code === 'invalid') {
      return [fail(about, said, 'put the right "server" and "ca" into the secret')];
    }
    const remedy = 'run the command where the API server can be reached';
    return functionsReachIt
      ? [warn(about, `${said}; the functions do reach it`, remedy)]
      : [fail(about, said, `${remedy}, and see docs/operations.md, "Cluster unreachable"`)];
  }
};

/** Nothing where the rights could not be asked for: that has been said. */
const priorityCheck = async (
  apiServer: ApiServerCheck,
  subject: string,
): Promise<readonly Check[]> => {
  const about = { check: 'priorities', subject };
  const { namespace, name } = priorityConfigMap;
  try {
    return (await apiServer.may(priorities))
      ? [ok(about, `its identity may read the ConfigMap ${namespace}/${name}`)]
      : [
          warn(
            about,
            `its identity may not list the ConfigMap ${namespace}/${name} by name: no group has a priority, and the next expander decides`,
            remedyOfRights,
          ),
        ];
  } catch {
    return [];
  }
};

const actionText = ({ verb, group, resource }: ApiAction): string =>
  `${verb} ${resource}${group === '' ? '' : `.${group}`}`;

const rightsChecks = async (
  apiServer: ApiServerCheck,
  subject: string,
): Promise<readonly Check[]> => {
  const rights = { check: 'rights', subject };
  const excess = { check: 'excessRights', subject };
  const answers = async (actions: readonly ApiAction[]) =>
    Promise.all(actions.map(async (action) => ({ action, may: await apiServer.may(action) })));
  try {
    const [lacks, misleads, slows, exceeds] = await Promise.all([
      answers(needed),
      answers(telling),
      answers(helpful),
      answers(excessive),
    ]);
    const lacking = lacks.filter(({ may }) => !may).map(({ action }) => actionText(action));
    const misleading = misleads.filter(({ may }) => !may).map(({ action }) => actionText(action));
    const slowing = slows.filter(({ may }) => !may).map(({ action }) => actionText(action));
    const beyond = exceeds.filter(({ may }) => may).map(({ action }) => actionText(action));
    return [
      lacking.length > 0
        ? fail(rights, `its identity may not ${lacking.join(', ')}`, remedyOfRights)
        : misleading.length > 0
          ? warn(
              rights,
              `its identity may not ${misleading.join(', ')}: pods are judged as if there were none`,
              remedyOfRights,
            )
          : slowing.length > 0
            ? warn(
                rights,
                `its identity may not ${slowing.join(', ')}: a large cluster is listed whole at each look`,
                remedyOfRights,
              )
            : ok(rights, 'its identity may do all that a look needs'),
      beyond.length === 0
        ? ok(excess, 'its identity may do no more than it needs')
        : warn(
            excess,
            `its identity may also ${beyond.join(', ')}`,
            'use the service account of infra/rbac/outrider-read.yaml: whoever holds the secret may do as much',
          ),
    ];
  } catch (thrown) {
    const { code, message } = failureOf(thrown);
    if (code !== 'forbidden') return [notAsked(rights, thrown)];
    const remedy = 'the token or certificate in the secret is not accepted: put a new one there';
    return [fail(rights, `the API server refuses its identity: ${message}`, remedy)];
  }
};
