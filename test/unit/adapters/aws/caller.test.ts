import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { assureCaller } from '#adapters/aws/caller.ts';
import { type AwsSettings, readAwsSettings } from '#config/aws-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const profileFiles = ['credentials', 'config'].map((name) => join(folder, name));
writeFileSync(profileFiles[0] ?? '', '[work]\naws_access_key_id = x\n');
writeFileSync(
  profileFiles[1] ?? '',
  '[default]\n[ profile "sso one" ]\nregion = x\n[sso-session y]\n',
);

const someone = { region: async () => 'eu-central-1', credentials: async () => ({}) };
const settings = (over: Partial<AwsSettings> = {}): AwsSettings => ({
  profileFiles,
  endpoints: [],
  ...over,
});

const refusing = (message: string) => () => Promise.reject(new Error(message));

describe('whoever calls AWS', () => {
  it.each([
    [{}],
    [{ profile: 'work' }],
    [{ profile: 'sso one' }],
    [{ profile: 'default', profileFiles: [] }],
    [{ endpoints: [{ variable: 'AWS_ENDPOINT_URL', url: 'http://127.0.0.1:4566' }] }],
  ])('is taken with settings that can be used: %j', async (over) => {
    await expect(assureCaller({ config: someone }, settings(over))).resolves.toBeUndefined();
  });

  it('hears of a profile that is in no file, and which there are', async () => {
    await expect(
      assureCaller({ config: someone }, settings({ profile: 'nosuch' })),
    ).rejects.toMatchObject({
      code: 'invalid',
      message:
        'AWS_PROFILE "nosuch" names no profile: there are work, default, sso one; set another, or unset it',
    });
    await expect(
      assureCaller({ config: someone }, settings({ profile: 'x', profileFiles: ['/none'] })),
    ).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/none in \/none; set another/),
    });
  });

  it.each(['nonsense', 'http://', '127.0.0.1:4566', 'ftp://x'])(
    'hears of an endpoint that is no address: %s',
    async (url) => {
      const endpoints = [{ variable: 'AWS_ENDPOINT_URL_S3', url }];
      await expect(
        assureCaller({ config: someone }, settings({ endpoints })),
      ).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringMatching(/^AWS_ENDPOINT_URL_S3 ".+" is no address: write http/),
      });
    },
  );

  it('hears of a region that is none, and of a missing one', async () => {
    const refused = 'Region not accepted: region="us east!" is not a valid hostname component.';
    const at = (message: string) =>
      assureCaller({ config: { ...someone, region: refusing(message) } }, settings());
    await expect(at(refused)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/^AWS region "us east!" is none: set AWS_REGION/),
    });
    await expect(at('Region is missing')).rejects.toMatchObject({
      message: expect.stringMatching(/^no AWS region: set AWS_REGION/),
    });
  });

  it('hears of missing credentials by the profile that lacks them', async () => {
    const away = refusing('Could not load credentials from any providers');
    const as = (over: Partial<AwsSettings>) =>
      assureCaller({ config: { ...someone, credentials: away } }, settings(over));
    await expect(as({})).rejects.toMatchObject({
      code: 'unavailable',
      message: 'no AWS credentials: set AWS_PROFILE, or log in (aws sso login)',
    });
    await expect(as({ profile: 'work' })).rejects.toMatchObject({
      message: expect.stringMatching(/in the profile "work" .*aws sso login --profile work/),
    });
  });
});

describe('AWS settings', () => {
  it('come from the environment, and from where the SDK looks for the rest', () => {
    expect(
      readAwsSettings({
        AWS_PROFILE: 'work',
        AWS_CONFIG_FILE: '/c',
        AWS_ENDPOINT_URL_S3: 'http://s3',
        AWS_ENDPOINT_URL: '',
      }),
    ).toEqual({
      profile: 'work',
      profileFiles: [expect.stringMatching(/\.aws\/credentials$/), '/c'],
      endpoints: [{ variable: 'AWS_ENDPOINT_URL_S3', url: 'http://s3' }],
    });
    expect(readAwsSettings({ AWS_PROFILE: '' }).profile).toBeUndefined();
  });
});
