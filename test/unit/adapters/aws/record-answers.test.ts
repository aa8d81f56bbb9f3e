import { Readable } from 'node:stream';
import { DescribeLaunchTemplateVersionsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { clockAheadMs, watchAnswerClock } from '#adapters/aws/answer-clock.ts';
import { recordAnswers } from '#adapters/aws/record-answers.ts';

const xml = `<DescribeLaunchTemplateVersionsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
<requestId>1</requestId><launchTemplateVersionSet><item>
<launchTemplateId>lt-1</launchTemplateId><versionNumber>3</versionNumber>
<createTime>2026-08-21T10:00:00Z</createTime>
<launchTemplateData><instanceType>m5.large</instanceType><userData>c2VjcmV0</userData></launchTemplateData>
</item></launchTemplateVersionSet></DescribeLaunchTemplateVersionsResponse>`;

/** A client of the SDK whose every request is answered with this. */
const answering = (date?: string): EC2Client =>
  new EC2Client({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
    requestHandler: {
      handle: async () => ({
        response: {
          statusCode: 200,
          headers: { 'content-type': 'text/xml', ...(date === undefined ? {} : { date }) },
          body: Readable.from([Buffer.from(xml)]),
        },
      }),
    } as never,
  });

const command = new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId: 'lt-1' });

describe('answers that are recorded', () => {
  it('are as AWS gave them, without user data and without the metadata of the SDK', async () => {
    const client = answering();
    const kept = recordAnswers(client);
    const answer = await client.send(command);
    expect(kept).toEqual([
      {
        LaunchTemplateVersions: [
          {
            LaunchTemplateId: 'lt-1',
            VersionNumber: 3,
            CreateTime: '2026-08-21T10:00:00.000Z',
            LaunchTemplateData: { InstanceType: 'm5.large' },
          },
        ],
      },
    ]);
    // Whoever asked gets all of it.
    expect(answer.LaunchTemplateVersions?.[0]?.LaunchTemplateData?.UserData).toBe('c2VjcmV0');
  });
});

describe("the clock of AWS's answers", () => {
  const now = Date.UTC(2026, 7, 21, 10);

  it('is read from their Date header', async () => {
    const client = answering('Fri, 21 Aug 2026 10:01:00 GMT');
    const clock = watchAnswerClock(client, () => now);
    expect(clock.aheadMs()).toBeUndefined();
    await client.send(command);
    expect(clock.aheadMs()).toBe(60_000);
  });

  it.each([
    ['Fri, 21 Aug 2026 10:00:00 GMT', 500, 900, 0],
    ['Fri, 21 Aug 2026 10:00:00 GMT', 1500, 1600, -500],
    ['Fri, 21 Aug 2026 10:00:05 GMT', 0, 1000, 4000],
    ['yesterday', 0, 0, undefined],
    [undefined, 0, 0, undefined],
  ])(
    '%s, asked at %i ms and answered at %i ms, is ahead by %s ms',
    (date, asked, answered, ahead) => {
      expect(clockAheadMs(date, { askedMs: now + asked, answeredMs: now + answered })).toBe(ahead);
    },
  );
});
