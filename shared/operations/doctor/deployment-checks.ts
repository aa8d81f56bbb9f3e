import { counted } from '#cluster/counted.ts';
import type { Clock } from '#ports/clock.ts';
import type { DeadLetterQueue } from '#ports/dead-letter-queue.ts';
import type { DeploymentHealth } from '#ports/deployment-health.ts';
import type { DeployedNetwork, Deployment } from '#ports/deployments.ts';
import { asking, type Check, fail, hourMs, ok, spanText, warn } from './check.ts';

export interface DeploymentPorts {
  readonly clock: Clock;
  readonly health: DeploymentHealth;
  /** Dead letters by the network's key; `-` for what stands outside the networks. */
  readonly deadLetters: readonly {
    readonly network: string;
    readonly queue: Pick<DeadLetterQueue, 'count'>;
  }[];
}

/** Stack, functions, queues, alarms, pages and the clock of a deployment. */
export const checkDeployment = async (
  ports: DeploymentPorts,
  deployment: Deployment,
): Promise<readonly Check[]> => {
  const checks = await Promise.all([
    [stackCheck(deployment)],
    clockCheck(ports),
    ...deployment.networks.map((network) => networkChecks(ports, network)),
    ...ports.deadLetters.map(({ network, queue }) => deadLetterCheck(network, queue)),
    alarmChecks(ports, deployment.stack),
    pagesCheck(ports, deployment.pagesTopicArn),
  ]);
  return checks.flat();
};

const stackCheck = ({ stack, status }: Deployment): Check => {
  const about = { check: 'stack', subject: `stack ${stack}` };
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) return ok(about, `is ${status}`);
  if (status.endsWith('_IN_PROGRESS')) {
    return warn(about, `is ${status}`, 'wait until the deployment has ended');
  }
  const remedy = 'see the events of the stack in CloudFormation, mend what they name, deploy again';
  return status.endsWith('ROLLBACK_COMPLETE')
    ? warn(about, `is ${status}: the last deployment was taken back`, remedy)
    : fail(about, `is ${status}`, remedy);
};

/** AWS refuses what was signed with a clock that is 5 minutes off. */
const refusedSkewMs = 300_000;
const tellingSkewMs = 10_000;

/** Leases, back-offs and start limits compare the clocks of functions and of this machine. */
const clockCheck = ({ health }: DeploymentPorts): Promise<readonly Check[]> => {
  const about = { check: 'clock', subject: 'this machine' };
  const remedy = 'set its clock (NTP)';
  return asking(
    about,
    () => health.clockAheadMs(),
    (ahead) => {
      const off = Math.abs(ahead);
      if (off <= tellingSkewMs) return ok(about, "agrees with AWS's clock");
      const said = `its clock is ${spanText(off)} ${ahead > 0 ? 'behind' : 'ahead of'} AWS's`;
      return off >= refusedSkewMs ? fail(about, said, remedy) : warn(about, said, remedy);
    },
  );
};

const networkChecks = async (
  { clock, health }: DeploymentPorts,
  network: DeployedNetwork,
): Promise<readonly Check[]> => {
  const subject = `network ${network.key}`;
  const name = network.functionName;
  const sinceMs = clock.nowMs() - hourMs;
  const lambda = { namespace: 'AWS/Lambda', dimensions: { FunctionName: name }, sinceMs };
  const state = { check: 'function', subject };
  const errors = { check: 'functionErrors', subject };
  const queue = { check: 'queue', subject };
  const age = { check: 'queueAge', subject };
  const queueName = network.queueUrl.slice(network.queueUrl.lastIndexOf('/') + 1);
  const groups = await Promise.all([
    asking(
      state,
      () => health.functionState(name),
      ({ state: word, reason }) =>
        word === 'Active'
          ? ok(state, `${name} is active`)
          : warn(
              state,
              `${name} is ${word}${reason === undefined ? '' : `: ${reason}`}`,
              'deploy again; Inactive wakes up with the next message',
            ),
    ),
    asking(
      errors,
      async () => ({
        failed: await health.metric({ ...lambda, name: 'Errors', statistic: 'Sum' }),
        ran: await health.metric({ ...lambda, name: 'Invocations', statistic: 'Sum' }),
      }),
      ({ failed, ran }) => {
        const log = `see its log: aws logs tail /aws/lambda/${name} --since 1h`;
        if (ran === undefined || ran === 0) {
          const remedy = 'see whether the schedule that sweeps is enabled (EventBridge rules)';
          return warn(errors, 'no invocation in the last hour is known', remedy);
        }
        return failed === undefined || failed === 0
          ? ok(errors, `${counted(ran, 'invocation')} in the last hour, none failed`)
          : warn(errors, `${failed} of ${counted(ran, 'invocation')} of the last hour failed`, log);
      },
    ),
    asking(
      queue,
      () => health.queueDepth(network.queueUrl),
      ({ visible, inFlight, delayed }) =>
        ok(queue, `${visible} waiting, ${inFlight} in work, ${delayed} delayed`),
    ),
    asking(
      age,
      () =>
        health.metric({
          namespace: 'AWS/SQS',
          name: 'ApproximateAgeOfOldestMessage',
          dimensions: { QueueName: queueName },
          statistic: 'Maximum',
          sinceMs: clock.nowMs() - 300_000,
        }),
      (seconds) => {
        if (seconds === undefined) return ok(age, 'nothing has waited in the last five minutes');
        const said = `the oldest message of the last five minutes was ${spanText(seconds * 1000)} old`;
        const remedy =
          'look for a function that fails or an API server that does not answer (docs/operations.md)';
        return seconds > 600 ? fail(age, said, remedy) : ok(age, said);
      },
    ),
  ]);
  return groups.flat();
};

const deadLetterCheck = (
  network: string,
  queue: Pick<DeadLetterQueue, 'count'>,
): Promise<readonly Check[]> => {
  const subject = network === '-' ? 'forwarded events' : `network ${network}`;
  const about = { check: 'deadLetters', subject };
  return asking(
    about,
    () => queue.count(),
    ({ total }) =>
      total === 0
        ? ok(about, 'no dead letters')
        : warn(about, counted(total, 'dead letter'), 'read them: outrider deadletters list'),
  );
};

const alarmChecks = ({ health }: DeploymentPorts, stack: string): Promise<readonly Check[]> => {
  const about = { check: 'alarms', subject: `stack ${stack}` };
  return asking(
    about,
    () => health.ringing(stack),
    (alarms) =>
      alarms.length === 0
        ? ok(about, 'no alarm rings')
        : alarms.map(({ name, description }) =>
            fail(
              { ...about, subject: `alarm ${name}` },
              'rings',
              description || 'see docs/operations.md',
            ),
          ),
  );
};

const pagesCheck = ({ health }: DeploymentPorts, topicArn: string): Promise<readonly Check[]> => {
  const about = {
    check: 'pages',
    subject: `topic ${topicArn.slice(topicArn.lastIndexOf(':') + 1)}`,
  };
  return asking(
    about,
    () => health.subscribers(topicArn),
    (count) =>
      count > 0
        ? ok(about, `${counted(count, 'subscription')}`)
        : warn(
            about,
            'nobody is subscribed, so pages wake nobody',
            `aws sns subscribe --topic-arn ${topicArn} --protocol email --notification-endpoint ADDRESS`,
          ),
  );
};
