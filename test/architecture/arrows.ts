/*
 * The arrows of the house: what a file of each room may import and what it may not. One entry is one
 * planted import; the lint must refuse every `wrong` one and let every `right` one pass.
 */

export interface Arrows {
  /** Where the planted files stand. */
  readonly room: string;
  readonly right: readonly string[];
  readonly wrong: readonly string[];
}

/** The pure rooms, lowest first; each may import those named, and none that imports it. */
const pureArrows = {
  cluster: [],
  scheduling: ['cluster'],
  kubelet: ['cluster'],
  scaling: ['cluster', 'scheduling', 'kubelet'],
  world: ['cluster', 'scheduling', 'kubelet', 'scaling'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const aliases = (rooms: readonly string[]): readonly string[] =>
  rooms.map((room) => `#${room}/x.ts`);
const pureRooms = Object.keys(pureArrows);
const pure = aliases(pureRooms);
const outside = [
  '../../functions/scale-up/handler.ts',
  '../../cli/main.ts',
  '../../relay/main.ts',
  '../../infra/app.ts',
  '../../test/helpers/x.ts',
];
const deployTime = ['aws-cdk-lib', 'aws-cdk-lib/aws-sqs', 'constructs'];
const sdk = '@aws-sdk/client-ec2';
const joined = ['#operations/x.ts', '#adapters/aws/x.ts', '#wiring/x.ts', '#config/x.ts'];

export const arrows: readonly Arrows[] = [
  ...Object.entries<readonly string[]>(pureArrows).map(([room, below]) => ({
    room: `shared/${room}`,
    right: [...aliases(below), './x.ts'],
    wrong: [
      ...aliases(pureRooms.filter((other) => !below.includes(other))),
      ...joined,
      '#ports/x.ts',
      '#events/x.ts',
      'zod',
      'yaml',
      'node:fs',
      'fs',
      sdk,
      '@middy/core',
      ...deployTime,
      ...outside,
    ],
  })),
  {
    room: 'shared/ports',
    right: [...pure, './x.ts'],
    wrong: [...joined, '#events/x.ts', 'zod', 'node:fs', sdk, ...deployTime, ...outside],
  },
  {
    room: 'shared/operations',
    right: [...pure, '#ports/x.ts', '#events/x.ts', './x.ts'],
    wrong: [
      ...joined.filter((alias) => alias !== '#operations/x.ts'),
      'zod',
      'node:fs',
      'node:crypto',
      sdk,
      '@middy/core',
      ...deployTime,
      ...outside,
    ],
  },
  {
    room: 'shared/adapters/aws',
    right: [...pure, '#ports/x.ts', '#config/x.ts', sdk, 'node:https', 'yaml', './x.ts'],
    wrong: [
      '#operations/x.ts',
      '#wiring/x.ts',
      '#events/x.ts',
      '@middy/core',
      ...deployTime,
      ...outside.map((path) => `../${path}`),
    ],
  },
  {
    room: 'shared/adapters/memory',
    right: ['#world/x.ts', '#ports/x.ts'],
    wrong: ['#operations/x.ts', '#wiring/x.ts'],
  },
  {
    room: 'shared/config',
    right: [...pure, 'zod', 'yaml', 'node:fs', './x.ts'],
    wrong: [
      '#operations/x.ts',
      '#adapters/aws/x.ts',
      '#wiring/x.ts',
      '#ports/x.ts',
      '#events/x.ts',
      sdk,
      '@middy/core',
      ...deployTime,
      ...outside,
    ],
  },
  {
    room: 'shared/wiring',
    right: [...joined, '#ports/x.ts', '#cluster/x.ts', sdk, './x.ts'],
    wrong: ['#events/x.ts', '@middy/core', ...deployTime, ...outside],
  },
  {
    room: 'events',
    right: ['zod', './x.ts'],
    wrong: [
      ...joined,
      ...pure,
      '#ports/x.ts',
      'node:fs',
      sdk,
      '@middy/core',
      ...deployTime,
      '../functions/scale-up/handler.ts',
      '../cli/main.ts',
    ],
  },
  {
    room: 'functions/scale-up',
    right: [
      '#operations/x.ts',
      '#wiring/x.ts',
      '#config/x.ts',
      '#events/x.ts',
      '@middy/core',
      'zod',
      './x.ts',
      '../lib/x.ts',
    ],
    wrong: [
      ...pure,
      '#adapters/aws/x.ts',
      '#ports/x.ts',
      sdk,
      ...deployTime,
      ...outside.filter((path) => !path.includes('functions')),
    ],
  },
  ...['cli/commands', 'relay'].map((room) => ({
    room,
    right: [
      '#operations/x.ts',
      '#wiring/x.ts',
      '#config/x.ts',
      '#events/x.ts',
      'commander',
      './x.ts',
    ],
    wrong: [
      ...pure,
      '#adapters/aws/x.ts',
      '#ports/x.ts',
      sdk,
      '@middy/core',
      ...deployTime,
      '../../functions/scale-up/handler.ts',
      '../../infra/app.ts',
      '../../test/helpers/x.ts',
    ],
  })),
  { room: 'cli', right: ['./commands/x.ts'], wrong: ['../relay/main.ts'] },
  { room: 'relay', right: ['node:fs'], wrong: ['../cli/main.ts'] },
  {
    room: 'infra/constructs',
    right: ['#config/x.ts', '#events/x.ts', 'aws-cdk-lib', 'constructs', 'cdk-nag', './x.ts'],
    wrong: [
      ...pure,
      '#operations/x.ts',
      '#adapters/aws/x.ts',
      '#wiring/x.ts',
      '#ports/x.ts',
      sdk,
      '@middy/core',
      ...outside.filter((path) => !path.includes('infra')),
    ],
  },
  {
    room: 'web',
    right: [...pure, '#events/x.ts', './x.ts'],
    wrong: [
      ...joined,
      '#ports/x.ts',
      'node:fs',
      sdk,
      '../functions/x/handler.ts',
      '../cli/main.ts',
    ],
  },
  {
    room: 'test/unit',
    right: [
      ...pure,
      ...joined,
      '#ports/x.ts',
      '#events/x.ts',
      sdk,
      '../../cli/main.ts',
      '../../functions/x/handler.ts',
      'vitest',
    ],
    wrong: [],
  },
];
