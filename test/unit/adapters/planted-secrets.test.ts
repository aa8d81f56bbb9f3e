import { gunzipSync } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { STSClient } from '@aws-sdk/client-sts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assumedRole } from '#adapters/aws/assumed-role.ts';
import { type ArchivedDecision, s3DecisionArchive } from '#adapters/aws/s3-decision-archive.ts';
import { readApiAccessSecret } from '#adapters/aws/secrets-manager-api-access.ts';
import { sqsDeadLetters } from '#adapters/aws/sqs-dead-letters.ts';
import { createApiClient } from '#adapters/kubernetes/api-client.ts';
import { kubernetesClusterApi } from '#adapters/kubernetes/kubernetes-cluster-api.ts';
import { recordLists } from '#adapters/kubernetes/recorded-lists.ts';
import { describeError } from '../../../functions/lib/errors.ts';
import { createLogger } from '../../../functions/lib/logger.ts';
import { readQueueMessage } from '../../../functions/scale-up/read-queue-message.ts';
import {
  type Answer,
  type FakeApiServer,
  startFakeApiServer,
} from '../../helpers/fake-api-server.ts';
import { clientOf, refuse } from '../../helpers/fake-aws-client.ts';

/*
 * Secrets are planted wherever Outrider comes by them, and looked for in all that it writes. What a deployed
 * function really wrote is searched in test/e2e/pipeline/iam.test.ts.
 */

const planted = {
  token: 'planted-token-91c2',
  clientKey: 'planted-client-key-91c2',
  externalId: 'planted-external-id-91c2',
  environment: 'planted-environment-91c2',
  argument: 'planted-argument-91c2',
  probe: 'planted-probe-91c2',
  annotation: 'planted-annotation-91c2',
  template: 'planted-template-91c2',
};

/** Names of the planted secrets that a text holds. */
const found = (text: string): readonly string[] =>
  Object.entries(planted).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []));

/** What a function would log of an error. */
const logged = (error: unknown): string => {
  const lines: string[] = [];
  createLogger((line) => lines.push(line)).error('failed', { error: describeError(error) });
  return lines.join('\n');
};

const errorOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

const container = {
  name: 'main',
  image: 'registry.example/main',
  command: ['sh', '-c', planted.argument],
  args: ['--password', planted.argument],
  env: [{ name: 'PASSWORD', value: planted.environment }],
  envFrom: [{ secretRef: { name: planted.environment } }],
  livenessProbe: { httpGet: { httpHeaders: [{ name: 'x', value: planted.probe }] } },
  resources: { requests: { cpu: '1' } },
};
const metadata = {
  namespace: 'shop',
  name: 'visible-name',
  uid: 'uid-1',
  annotations: { 'kubectl.kubernetes.io/last-applied-configuration': planted.annotation },
  managedFields: [{ manager: planted.annotation }],
};
const pod = {
  metadata,
  spec: { containers: [container], initContainers: [container], ephemeralContainers: [container] },
  status: { phase: 'Pending' },
};
const node = { metadata: { ...metadata, namespace: undefined }, spec: {}, status: {} };
const daemonSet = {
  metadata,
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: {
      metadata: { labels: { app: 'agent' }, annotations: { ...metadata.annotations } },
      spec: {
        containers: [{ ...container, env: [{ name: 'PASSWORD', value: planted.template }] }],
      },
    },
  },
};

const lists: Readonly<Record<string, readonly unknown[]>> = {
  '/api/v1/pods': [pod],
  '/api/v1/nodes': [node],
  '/apis/apps/v1/daemonsets': [daemonSet],
};

const answerLists: Answer = (request, response) => {
  const [path = ''] = (request.url ?? '').split('?');
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({ kind: 'List', metadata: { resourceVersion: '7' }, items: lists[path] ?? [] }),
  );
};

describe('planted secrets', () => {
  let server: FakeApiServer;
  beforeEach(async () => {
    server = await startFakeApiServer();
  });
  afterEach(async () => {
    await server.stop();
  });

  const client = () => {
    const { server: url, ca } = server.access;
    return createApiClient({ server: url, ca, token: planted.token }, { retries: 0 });
  };

  it('are in no decision object, though the pods of its snapshot had them', async () => {
    server.answer(answerLists);
    const api = client();
    const { snapshot, problems } = await kubernetesClusterApi(api).snapshot();
    api.close();
    const { client: s3, inputs } = clientOf(() => ({}));
    await s3DecisionArchive(s3 as unknown as S3Client, 'bucket').put('decisions/1', {
      input: { snapshot },
      decision: {},
      problems,
    } as unknown as ArchivedDecision);
    const written = gunzipSync(inputs[0]?.Body as Uint8Array).toString();
    expect(written).toContain('visible-name');
    expect(found(written)).toEqual([]);
  });

  it('are in no recorded snapshot', async () => {
    server.answer(answerLists);
    const pieces: unknown[] = [];
    const api = client();
    await recordLists(api, async (piece) => void pieces.push(piece));
    api.close();
    const written = JSON.stringify(pieces);
    expect(written.match(/visible-name/g)?.length).toBeGreaterThanOrEqual(3);
    expect(found(written)).toEqual([]);
  });

  it.each([401, 403, 404, 409, 500, 503])(
    'are in no log line of an API server that repeats the token with %i',
    async (status) => {
      server.answer((request, response) => {
        const said = `refused: ${request.headers.authorization}`;
        response.writeHead(status, { 'content-type': 'application/json', 'x-said': said });
        response.end(JSON.stringify({ kind: 'Status', code: status, message: said, reason: said }));
      });
      const api = client();
      const line = logged(await errorOf(api.get('/api/v1/pods')));
      api.close();
      expect(line).toContain('/api/v1/pods');
      expect(found(line)).toEqual([]);
    },
  );

  it('are in no log line of an answer that is no JSON', async () => {
    server.answer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`<p>${request.headers.authorization}`);
    });
    const api = client();
    const line = logged(await errorOf(api.get('/api/v1/pods')));
    api.close();
    expect(found(line)).toEqual([]);
  });

  const url = 'https://192.0.2.1';
  const { token, clientKey } = planted;
  it.each([
    ['no JSON', `{"token": "${token}"`],
    ['a text', JSON.stringify(token)],
    ['a list', JSON.stringify([token, clientKey])],
    ['no server', JSON.stringify({ token, ca: token })],
    ['a secret for a server', JSON.stringify({ server: token, ca: token, token })],
    ['a secret in the server', JSON.stringify({ server: `https://u:${token}@h`, ca: '', token })],
    ['a secret for a CA', JSON.stringify({ server: url, ca: clientKey, token })],
    [
      'both kinds',
      JSON.stringify({ server: url, ca: 'x', token, clientCertificate: 'x', clientKey }),
    ],
    [
      'an unusable key',
      JSON.stringify({ server: url, ca: 'x', clientCertificate: 'x', clientKey }),
    ],
    ['an unknown field', JSON.stringify({ server: url, ca: 'x', token, password: clientKey })],
    ['a token of two lines', JSON.stringify({ server: url, ca: 'x', token: `${token}\nx` })],
  ])('are in no log line of a secret that is %s', async (_, SecretString) => {
    const { client: secrets } = clientOf(() => ({ SecretString }));
    const reading = readApiAccessSecret(
      secrets as unknown as SecretsManagerClient,
      'outrider/shop',
    );
    const line = logged(await errorOf(reading));
    expect(line).toContain('outrider/shop');
    expect(found(line)).toEqual([]);
  });

  it('are in no log line of a role that may not be taken on', async () => {
    const { client: sts } = clientOf(() => refuse('AccessDenied', 403));
    const assume = assumedRole(sts as unknown as STSClient, {
      roleArn: 'arn:aws:iam::222222222222:role/outrider-cluster',
      externalId: planted.externalId,
      sessionName: 'outrider',
    });
    const line = logged(await errorOf(assume()));
    expect(line).toContain('outrider-cluster');
    expect(found(line)).toEqual([]);
  });

  it('that somebody sent with a broken message are not repeated in what is said of it', async () => {
    const body = JSON.stringify({
      source: 'outrider.cluster.shop',
      'detail-type': 'Pod Pending',
      detail: { cluster: 'shop', network: 'main', pods: token, token, [token]: token },
    });
    const read = readQueueMessage({ body });
    expect(read.kind).toBe('malformed');
    const said = read as { readonly code: string; readonly message: string };
    const { client: sqs, inputs } = clientOf(() => ({}));
    await sqsDeadLetters(sqs as unknown as SQSClient, 'https://queue').record({ body, ...said });
    // The message itself is kept as it came.
    expect(inputs[0]?.MessageBody).toBe(body);
    expect(found(JSON.stringify(inputs[0]?.MessageAttributes))).toEqual([]);
  });
});
