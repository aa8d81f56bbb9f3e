import type { EC2Client } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { instanceRequirementsCatalogue } from '#adapters/aws/ec2-instance-requirements.ts';
import { clientOf, refuse } from '../../../helpers/fake-aws-client.ts';

const requirements = { VCpuCount: { Min: 2 }, MemoryMiB: { Min: 4096 } };
const others = { VCpuCount: { Min: 8 }, MemoryMiB: { Min: 4096 } };

/** Images `ami-arm…` are for arm64, `ami-gone…` are not there, others are for x86_64. */
const account = (types: () => readonly string[] = () => ['m5.xlarge', 'm5.large']) => {
  const { client, inputs, commands } = clientOf((input, command) => {
    if (command !== 'DescribeImagesCommand') {
      return { InstanceTypes: types().map((InstanceType) => ({ InstanceType })) };
    }
    const [id = ''] = input.ImageIds as readonly string[];
    if (id.startsWith('ami-gone')) refuse('InvalidAMIID.NotFound');
    return { Images: [{ Architecture: id.startsWith('ami-arm') ? 'arm64' : 'x86_64' }] };
  });
  const asked = () =>
    inputs.flatMap((input) => ('ArchitectureTypes' in input ? [input.ArchitectureTypes] : []));
  return { ec2: client as unknown as EC2Client, inputs, commands, asked };
};

describe('instance types by attributes', () => {
  it('are those that AWS answers for the requirements, sorted, by group', async () => {
    const { ec2, inputs } = account();
    const found = await instanceRequirementsCatalogue(ec2).find([
      { group: 'b', requirements, imageId: 'ami-1' },
      { group: 'a', requirements: others, imageId: 'ami-1' },
    ]);
    const types = ['m5.large', 'm5.xlarge'];
    expect(found).toEqual([
      { group: 'a', types },
      { group: 'b', types },
    ]);
    expect(inputs).toContainEqual({
      ArchitectureTypes: ['x86_64'],
      VirtualizationTypes: ['hvm'],
      InstanceRequirements: requirements,
    });
  });

  it("are asked for with the image's architecture, and any where that is not known", async () => {
    const { ec2, asked } = account();
    const catalogue = instanceRequirementsCatalogue(ec2);
    for (const imageId of ['ami-arm', 'ami-gone', 'resolve:ssm:/images/node']) {
      await catalogue.find([{ group: 'a', requirements: { ...requirements, imageId }, imageId }]);
    }
    await catalogue.find([{ group: 'a', requirements }]);
    const any = ['arm64', 'x86_64'];
    expect(asked()).toEqual([['arm64'], any, any, any]);
  });

  it('are asked for once in 20 minutes, and an image once', async () => {
    let now = 0;
    const { ec2, commands } = account();
    const catalogue = instanceRequirementsCatalogue(ec2, () => now);
    const ask = () => catalogue.find([{ group: 'a', requirements, imageId: 'ami-1' }]);
    await ask();
    now = 20 * 60_000 - 1;
    await ask();
    expect(commands).toHaveLength(2);
    now += 1;
    await ask();
    expect(commands.slice(2)).toEqual(['GetInstanceTypesFromInstanceRequirementsCommand']);
  });

  it('of a group with several requirements are all of them together', async () => {
    let call = 0;
    const { ec2 } = account(() => (call++ === 0 ? ['b', 'a'] : ['c', 'a']));
    const found = await instanceRequirementsCatalogue(ec2).find([
      { group: 'x', requirements },
      { group: 'x', requirements: others },
    ]);
    expect(found).toEqual([{ group: 'x', types: ['a', 'b', 'c'] }]);
  });

  it('fail the look where they cannot be asked for', async () => {
    const { client } = clientOf(() => refuse('UnauthorizedOperation', 403));
    const catalogue = instanceRequirementsCatalogue(client as unknown as EC2Client);
    await expect(
      catalogue.find([{ group: 'a', requirements, imageId: 'ami-1' }]),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });
});
