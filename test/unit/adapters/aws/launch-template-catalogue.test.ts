import type { EC2Client } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { launchTemplateCatalogue } from '#adapters/aws/launch-template-catalogue.ts';
import { clientOf, refuse } from '../../../helpers/fake-aws-client.ts';

/** One account's templates, all with these versions. */
const account = (state: { latest: number; default: number }) =>
  clientOf(({ LaunchTemplateId, LaunchTemplateName, Versions }) => {
    const id = (LaunchTemplateId ?? String(LaunchTemplateName).replace('name-', '')) as string;
    const numbers = (Versions as readonly string[]).map(
      (version) => ({ $Default: state.default, $Latest: state.latest })[version] ?? Number(version),
    );
    if (numbers.some((each) => each > state.latest)) {
      refuse('InvalidLaunchTemplateId.VersionNotFound');
    }
    return {
      LaunchTemplateVersions: numbers.map((number) => ({
        LaunchTemplateId: id,
        LaunchTemplateName: `name-${id}`,
        VersionNumber: number,
        DefaultVersion: number === state.default,
        LaunchTemplateData: { InstanceType: 'm5.large' },
      })),
    };
  });

const byId = (version: string) => ({ template: { id: 'lt-a', version }, group: 'g' });
const byName = (version: string) => ({ template: { name: 'name-lt-a', version }, group: 'h' });

const start = () => {
  const state = { latest: 7, default: 3 };
  const { client, inputs } = account(state);
  let now = 1_000;
  const catalogue = launchTemplateCatalogue(client as unknown as EC2Client, () => now);
  const find = async (...requests: Parameters<typeof catalogue.find>[0]) => {
    const { versions, problems } = await catalogue.find(requests);
    const shown = versions.map(({ version, isDefault }) => `${version}${isDefault ? '*' : ''}`);
    return { shown, problems };
  };
  const passes = (ms: number) => {
    now += ms;
  };
  return { state, inputs, find, passes };
};

describe('the catalogue of launch templates', () => {
  it('asks for a numbered version once in its life', async () => {
    const { inputs, find, passes } = start();
    expect((await find(byId('2'))).shown).toEqual(['2']);
    passes(365 * 24 * 3600 * 1000);
    expect((await find(byId('2'))).shown).toEqual(['2']);
    expect(inputs).toHaveLength(1);
  });

  it('asks for $Latest and $Default again after a minute, by one call', async () => {
    const { state, inputs, find, passes } = start();
    const requests = [byId('$Latest'), byId('$Default'), byId('2')];
    expect((await find(...requests)).shown).toEqual(['2', '3*', '7']);
    state.latest = 8;
    state.default = 7;
    passes(59_999);
    expect((await find(...requests)).shown).toEqual(['2', '3*', '7']);
    expect(inputs).toHaveLength(1);
    passes(1);
    expect((await find(...requests)).shown).toEqual(['2', '7*', '8']);
    expect(inputs[1]).toMatchObject({ Versions: ['$Latest', '$Default'] });
  });

  it('never takes a kept version for the default that it was once', async () => {
    const { state, find } = start();
    expect((await find(byId('3'))).shown).toEqual(['3']);
    state.default = 5;
    expect((await find(byId('3'), byId('$Default'))).shown).toEqual(['3', '5*']);
  });

  it('drops a kept version that was deleted, which would be taken for the latest', async () => {
    const { state, find } = start();
    expect((await find(byId('7'))).shown).toEqual(['7']);
    state.latest = 6;
    const { shown, problems } = await find(byId('7'), byId('$Latest'));
    expect(shown).toEqual(['6']);
    expect(problems).toMatchObject([{ code: 'launchTemplateMissing' }]);
  });

  it('asks again for what was missing, and for a name, which may be another’s', async () => {
    const { state, inputs, find, passes } = start();
    expect((await find(byId('8'))).problems).toHaveLength(1);
    state.latest = 8;
    expect(await find(byId('8'))).toEqual({ shown: ['8'], problems: [] });
    await find(byName('2'));
    passes(60_000);
    await find(byName('2'));
    expect(inputs).toHaveLength(4);
  });

  it('has a version once that is named by id here and by name there', async () => {
    const { find } = start();
    expect((await find(byId('3'), byName('$Default'))).shown).toEqual(['3*']);
  });

  it('keeps no more than so many', async () => {
    const { inputs, find } = start();
    await find(byId('1'));
    const others = Array.from({ length: 5_000 }, (_, index) => ({
      template: { id: `lt-${index}`, version: '1' },
      group: 'g',
    }));
    await find(...others);
    await find(byId('1'));
    expect(inputs).toHaveLength(5_002);
    await find(byId('1'));
    expect(inputs).toHaveLength(5_002);
  });
});
