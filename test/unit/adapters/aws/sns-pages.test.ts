import type { SNSClient } from '@aws-sdk/client-sns';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snsPages } from '#adapters/aws/sns-pages.ts';
import type { Page } from '#ports/pages.ts';
import { clientOf, refuse } from '../../../helpers/fake-aws-client.ts';

const page: Page = {
  id: 'prod/launches-without-binding/u-1/1700000000000',
  cluster: 'prod',
  kind: 'launches-without-binding',
  subject: 'pod default/web-1',
  atMs: 1_700_000_000_000,
  summary: '3 launches brought pod default/web-1 no node',
  text: 'The nodes came and the pod did not go there.\nLook at its volume.',
  decision: 'prod/scale-up/7',
};

interface Published {
  readonly TopicArn: string;
  readonly Subject: string;
  readonly Message: string;
  readonly MessageStructure: string;
  readonly MessageAttributes: Readonly<Record<string, { readonly StringValue: string }>>;
}

const publish = async (sent: Page) => {
  const { client, inputs } = clientOf(() => ({ MessageId: '1' }));
  await snsPages(client as unknown as SNSClient, 'arn:topic').send(sent);
  const published = inputs[0] as unknown as Published;
  return { published, message: JSON.parse(published.Message) as Record<string, string> };
};

const largestMessage = 256 * 1024;
const sizeOf = ({ Message, Subject, MessageAttributes }: Published) =>
  Buffer.byteLength(Message) +
  Buffer.byteLength(Subject) +
  Buffer.byteLength(JSON.stringify(MessageAttributes));

describe('pages on SNS', () => {
  it('tell programs the page as stable JSON', async () => {
    const { message } = await publish(page);
    for (const protocol of ['sqs', 'lambda', 'http', 'https']) {
      expect(JSON.parse(message[protocol] ?? '')).toEqual(page);
    }
    expect(Object.keys(JSON.parse(message.sqs ?? ''))).toEqual(Object.keys(page));
  });

  it('tell people in words what is wrong, what to do, when and where', async () => {
    const { published, message } = await publish(page);
    expect(published.MessageStructure).toBe('json');
    expect(published.Subject).toBe('Outrider prod: 3 launches brought pod default/web-1 no node');
    expect(message.default).toBe(message.email);
    expect(message.email).toBe(
      [
        page.summary,
        '',
        page.text,
        '',
        'Cluster: prod',
        'About: pod default/web-1',
        'Kind: launches-without-binding',
        'At: 2023-11-14T22:13:20.000Z',
        'Decision: prod/scale-up/7',
        `Page: ${page.id}`,
      ].join('\n'),
    );
    expect(message.sms).toBe('prod: 3 launches brought pod default/web-1 no node');
  });

  it('carry cluster and kind for filters, and the decision only where there is one', async () => {
    const { decision: _, ...undecided } = page;
    const { published, message } = await publish(undecided);
    expect(published.TopicArn).toBe('arn:topic');
    expect(published.MessageAttributes).toEqual({
      cluster: { DataType: 'String', StringValue: 'prod' },
      kind: { DataType: 'String', StringValue: 'launches-without-binding' },
    });
    expect(message.email).not.toContain('Decision');
    expect(JSON.parse(message.sqs ?? '')).toEqual(undecided);
  });

  it('have a subject of one line of ASCII with fewer than a hundred characters', async () => {
    const { published } = await publish({ ...page, summary: `größer\n${'x'.repeat(200)}` });
    expect(published.Subject).toMatch(/^Outrider prod: gr\?\?er x{70,}$/);
    expect(published.Subject).toHaveLength(99);
  });

  it.each(['"', '\\', '\n', '\u0001', '\u007f', 'ü', '😀', '\ud800'])(
    'fit in a message of SNS even if they are long and full of %j',
    async (letter) => {
      const long = letter.repeat(100_000);
      const fields = { id: long, cluster: long, kind: long, subject: long, decision: long };
      const { published } = await publish({ ...page, ...fields, summary: long, text: long });
      expect(sizeOf(published)).toBeLessThanOrEqual(largestMessage);
    },
  );

  it('are taken whatever their words', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const any = fc.record({
      ...{ id: text, cluster: text, kind: text, subject: text, summary: text, text },
      atMs: fc.double(),
    });
    await fc.assert(
      fc.asyncProperty(any, async (sent) => {
        const { published, message } = await publish(sent);
        expect(published.Subject).toMatch(/^[A-Za-z][ -~]{0,98}$/);
        expect(JSON.parse(message.sqs ?? '')).toHaveProperty('id');
        for (const { StringValue } of Object.values(published.MessageAttributes)) {
          expect(StringValue).not.toBe('');
        }
      }),
    );
  });

  it('throw where the topic does not take them', async () => {
    const { client } = clientOf(() => refuse('Throttled', 429));
    const pages = snsPages(client as unknown as SNSClient, 'arn:topic');
    await expect(pages.send(page)).rejects.toMatchObject({ code: 'throttled' });
  });
});
