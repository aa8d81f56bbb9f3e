import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import { cutBytes } from '#adapters/cut-bytes.ts';
import type { Page, Pages } from '#ports/pages.ts';
import { calling } from './aws-error.ts';
import { messageAttribute } from './message-attribute.ts';

/**
 * The most bytes of a page's long and short texts: six of each in one message, every letter escaped
 * twice at worst, stay within the 256 KiB that SNS takes.
 */
const mostTextBytes = 8 * 1024;
const mostLineBytes = 512;

/** A short message is sent in parts beyond this. */
const mostShortMessageBytes = 140;

/** SNS: fewer than a hundred characters. */
const mostSubjectCharacters = 99;

/**
 * Pages on a topic: words for people (mail, text messages), the same JSON always for programs (queues, functions,
 * web hooks), and the attributes `cluster` and `kind` for the filters of subscriptions.
 * Source: "Publish", Amazon SNS API reference.
 */
export function snsPages(client: SNSClient, topicArn: string): Pages {
  return {
    async send(page) {
      const message = messageOf(page);
      const command = new PublishCommand({
        TopicArn: topicArn,
        Subject: subjectOf(message),
        MessageStructure: 'json',
        Message: JSON.stringify(byProtocol(message)),
        MessageAttributes: {
          cluster: messageAttribute(message.cluster),
          kind: messageAttribute(message.kind),
        },
      });
      await calling(`Publish (page ${message.id})`, () => client.send(command));
    },
  };
}

/** What programs get: the fields of the page in a stated order, within bounds. */
function messageOf(page: Page): Page {
  return {
    id: line(page.id),
    cluster: line(page.cluster),
    kind: line(page.kind),
    subject: line(page.subject),
    atMs: page.atMs,
    summary: line(page.summary),
    text: cutBytes(printable(page.text), mostTextBytes),
    ...(page.decision === undefined ? {} : { decision: line(page.decision) }),
  };
}

function byProtocol(page: Page): Readonly<Record<string, string>> {
  const words = wordsOf(page);
  const json = JSON.stringify(page);
  return {
    default: words,
    email: words,
    sms: cutBytes(`${page.cluster}: ${page.summary}`, mostShortMessageBytes),
    sqs: json,
    lambda: json,
    http: json,
    https: json,
  };
}

function wordsOf(page: Page): string {
  const facts = [
    ['Cluster', page.cluster],
    ['About', page.subject],
    ['Kind', page.kind],
    ['At', timeOf(page.atMs)],
    ['Decision', page.decision],
    ['Page', page.id],
  ];
  const known = facts.filter(([, value]) => value !== undefined);
  return [
    page.summary,
    '',
    page.text,
    '',
    ...known.map(([name, value]) => `${name}: ${value}`),
  ].join('\n');
}

const timeOf = (ms: number): string | undefined =>
  Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;

/** One line of ASCII that begins with a letter. */
const subjectOf = ({ cluster, summary }: Page): string =>
  `Outrider ${cluster}: ${summary}`.replace(/[^ -~]/gu, '?').slice(0, mostSubjectCharacters);

const line = (text: string): string =>
  cutBytes(printable(text).replace(/\s+/g, ' ').trim(), mostLineBytes);

/** Without control characters, of which each would take seven bytes. */
const printable = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to take out
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ');
