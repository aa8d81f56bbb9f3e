import { DeleteMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { commandsThrough } from '../../crash/testbed/commands-through.ts';
import { clientOf } from '../../helpers/fake-aws-client.ts';
import { type Intercept, interceptPorts } from '../../helpers/faulty-ports.ts';

const command = { QueueUrl: 'https://queue' };
const send = new SendMessageCommand({ ...command, MessageBody: 'body' });
const remove = new DeleteMessageCommand({ ...command, ReceiptHandle: 'receipt' });

/** The client through `intercept`, and what has reached it. */
const through = (intercept: Intercept) => {
  const { client, commands } = clientOf(() => ({ MessageId: 'm-1' }));
  const clients = { sqs: client as unknown as SQSClient };
  const seen = commandsThrough((ports) => interceptPorts(ports, intercept), clients);
  return { sqs: seen.sqs, commands };
};

describe('the commands of an SDK client', () => {
  it('are port calls by their names, each counted for itself, and reach the client', async () => {
    const calls: string[] = [];
    const { sqs, commands } = through((call, effect) => {
      calls.push(`${call.name} ${call.nth}`);
      return effect();
    });
    expect(await sqs.send(send)).toEqual({ MessageId: 'm-1' });
    await sqs.send(remove);
    await sqs.send(send);
    expect(calls).toEqual(['sqs.SendMessage 1', 'sqs.DeleteMessage 1', 'sqs.SendMessage 2']);
    expect(commands).toEqual(['SendMessageCommand', 'DeleteMessageCommand', 'SendMessageCommand']);
    expect(await sqs.config.region()).toBe('eu-central-1');
  });

  it('may each be cut off before they reach it', async () => {
    const { sqs, commands } = through(async ({ name }, effect) => {
      if (name === 'sqs.DeleteMessage') throw new Error('cut off');
      return effect();
    });
    await sqs.send(send);
    await expect(sqs.send(remove)).rejects.toThrow('cut off');
    expect(commands).toEqual(['SendMessageCommand']);
  });
});
