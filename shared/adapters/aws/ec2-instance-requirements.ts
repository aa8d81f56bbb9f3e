import {
  type ArchitectureType,
  DescribeImagesCommand,
  type EC2Client,
  GetInstanceTypesFromInstanceRequirementsCommand,
  type InstanceRequirementsRequest,
} from '@aws-sdk/client-ec2';
import { inParallel } from '#cluster/in-parallel.ts';
import type { JsonObject } from '#cluster/json.ts';
import { setNewest } from '#cluster/newest.ts';
import { PortError } from '#ports/port-error.ts';
import type { RequiredAttributes, TypesByAttributes } from '#scaling/aws-views.ts';
import { calling } from './aws-error.ts';

export interface InstanceRequirementsCatalogue {
  /** For each group the types that AWS may launch by any of its requirements, by the group's name. */
  find(requests: readonly RequirementsRequest[]): Promise<readonly TypesByAttributes[]>;
}

export interface RequirementsRequest {
  readonly group: string;
  readonly requirements: RequiredAttributes;
  /** Only types of its architecture can be launched; absent: of any. */
  readonly imageId?: string;
}

/** AWS adds types that meet requirements now and then, and an image stays what it is. */
const keptMs = 20 * 60 * 1000;
const mostKept = 1_000;

/** Kept low: EC2 throttles describe calls per account, and others are asking as well. */
const callsAtOnce = 2;

const anyArchitecture: readonly ArchitectureType[] = ['arm64', 'x86_64'];

/**
 * Instance types by attributes, of one account and region: what GetInstanceTypesFromInstanceRequirements answers for
 * a group's InstanceRequirements and the architecture of its image. The same question is asked once in 20 minutes.
 */
export function instanceRequirementsCatalogue(
  client: EC2Client,
  nowMs: () => number = Date.now,
): InstanceRequirementsCatalogue {
  const architectures = new Map<string, readonly ArchitectureType[]>();
  const kept = new Map<string, { readonly types: readonly string[]; readonly untilMs: number }>();

  const architecturesOf = async (imageId: string | undefined) => {
    // An image named by a parameter of Systems Manager has no id to ask for.
    if (imageId === undefined || !imageId.startsWith('ami-')) return anyArchitecture;
    const known = architectures.get(imageId) ?? (await architecturesOfImage(client, imageId));
    if (known === undefined) return anyArchitecture;
    setNewest(architectures, [imageId, known], mostKept);
    return known;
  };

  const typesFor = async ({ requirements, imageId }: RequirementsRequest) => {
    const wanted = await architecturesOf(imageId);
    const key = JSON.stringify([wanted, requirements]);
    const known = kept.get(key);
    if (known !== undefined && known.untilMs > nowMs()) return known.types;
    const types = await typesFromRequirements(client, wanted, requirements);
    setNewest(kept, [key, { types, untilMs: nowMs() + keptMs }], mostKept);
    return types;
  };

  return {
    async find(requests) {
      const answers = await inParallel(requests, callsAtOnce, async (request) => ({
        group: request.group,
        types: await typesFor(request),
      }));
      const byGroup = new Map<string, Set<string>>();
      for (const { group, types } of answers) {
        byGroup.set(group, new Set([...(byGroup.get(group) ?? []), ...types]));
      }
      return [...byGroup]
        .map(([group, types]) => ({ group, types: [...types].sort() }))
        .sort((a, b) => (a.group < b.group ? -1 : 1));
    },
  };
}

/** `undefined` where there is no such image. */
async function architecturesOfImage(
  client: EC2Client,
  imageId: string,
): Promise<readonly ArchitectureType[] | undefined> {
  try {
    const command = new DescribeImagesCommand({ ImageIds: [imageId] });
    const answer = await calling(`DescribeImages (${imageId})`, () => client.send(command));
    const architecture = answer.Images?.[0]?.Architecture;
    return anyArchitecture.filter((one) => one === architecture).length === 0
      ? undefined
      : [architecture as ArchitectureType];
  } catch (error) {
    const missing = error instanceof PortError && ['notFound', 'invalid'].includes(error.code);
    if (missing) return undefined;
    throw error;
  }
}

async function typesFromRequirements(
  client: EC2Client,
  architectures: readonly ArchitectureType[],
  requirements: JsonObject,
): Promise<readonly string[]> {
  const found: string[] = [];
  let token: string | undefined;
  do {
    const command = new GetInstanceTypesFromInstanceRequirementsCommand({
      ArchitectureTypes: [...architectures],
      VirtualizationTypes: ['hvm'],
      // Auto Scaling and EC2 write the same fields by the same names.
      InstanceRequirements: requirements as unknown as InstanceRequirementsRequest,
      ...(token !== undefined && { NextToken: token }),
    });
    const answer = await calling('GetInstanceTypesFromInstanceRequirements', () =>
      client.send(command),
    );
    found.push(...(answer.InstanceTypes ?? []).flatMap(({ InstanceType: name }) => name ?? []));
    token = answer.NextToken || undefined;
  } while (token !== undefined);
  return found;
}
