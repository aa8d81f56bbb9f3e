import { describe, expect, it } from 'vitest';
import {
  type Asked,
  comparePermissions,
  isLoose,
  permissionsIn,
  permissionText,
} from '../../helpers/iam-permissions.ts';

const queue = 'arn:aws:sqs:us-east-1:000000000000:hints';
const letters = 'arn:aws:sqs:us-east-1:000000000000:letters';
const group =
  'arn:aws:autoscaling:us-east-1:000000000000:autoScalingGroup:1:autoScalingGroupName/a';
const groups =
  'arn:aws:autoscaling:us-east-1:000000000000:autoScalingGroup:*:autoScalingGroupName/*';
const tag = 'autoscaling:ResourceTag/cluster';

const document = {
  Statement: [
    { Effect: 'Allow', Action: ['sqs:SendMessage'], Resource: [queue, letters] },
    {
      Effect: 'Allow',
      Action: 'autoscaling:SetDesiredCapacity',
      Resource: groups,
      Condition: { StringEquals: { [tag]: ['a', 'b'] }, Null: { enabled: 'false' } },
    },
  ],
};
const raiseOf = (cluster: string): Asked => ({
  action: 'autoscaling:SetDesiredCapacity',
  resource: group,
  context: { [tag]: cluster, enabled: '' },
});
const sends = [queue, letters].map((resource) => ({
  action: 'sqs:SendMessage',
  resource,
  context: {},
}));
const run = [...sends, raiseOf('a'), raiseOf('b')];
const compare = (changed: typeof document, asked: readonly Asked[] = run) =>
  comparePermissions(permissionsIn(changed), asked);
const clean = { missing: [], unused: [], unusedValues: [] };

describe('permissions against calls', () => {
  it('have nothing to say where each is used and each call is covered', () => {
    expect(compare(document)).toEqual(clean);
  });

  it('tell a call whose resource was dropped', () => {
    const [send, raise] = document.Statement;
    const dropped = { Statement: [{ ...send, Resource: queue }, raise] } as typeof document;
    expect(compare(dropped).missing).toEqual([`sqs:SendMessage on ${letters}`]);
  });

  it('tell a resource that was added, though its action is used on another', () => {
    const asked = run.filter(({ resource }) => resource !== letters);
    expect(compare(document, asked).unused).toEqual([`sqs:SendMessage on ${letters}`]);
  });

  it('tell a value of a condition that no call had, and a call that no value covers', () => {
    expect(compare(document, [...sends, raiseOf('a')]).unusedValues).toEqual([
      `autoscaling:SetDesiredCapacity: ${tag} = b`,
    ]);
    expect(compare(document, [...run, raiseOf('c')]).missing).toEqual([
      `autoscaling:SetDesiredCapacity on ${group}`,
    ]);
  });

  it('tell a call without the tag that must be there', () => {
    const { enabled: _, ...context } = raiseOf('a').context;
    const untagged = { ...raiseOf('a'), context };
    expect(compare(document, [...run, untagged]).missing).toHaveLength(1);
  });

  it('mind that "for all values" holds of none', () => {
    const key = 'events:source';
    const put = (context: Asked['context']) => ({
      action: 'events:PutEvents',
      resource: 'bus',
      context,
    });
    const [permission] = permissionsIn({
      Statement: [
        {
          Effect: 'Allow',
          Action: 'events:PutEvents',
          Resource: 'bus',
          Condition: { 'ForAllValues:StringEquals': { [key]: ['own'] } },
        },
      ],
    });
    const missingOf = (context: Asked['context']) =>
      comparePermissions(permission === undefined ? [] : [permission], [put(context)]).missing;
    expect(missingOf({ [key]: ['own', 'own'] })).toEqual([]);
    expect(missingOf({})).toEqual([]);
    expect(missingOf({ [key]: ['own', 'other'] })).toHaveLength(1);
  });

  it('are loose with a wildcard or a condition, and say both, so that a wider one reads otherwise', () => {
    const loose = permissionsIn(document).filter(isLoose).map(permissionText);
    expect(loose).toEqual([
      `autoscaling:SetDesiredCapacity on ${groups} if StringEquals ${tag} = a|b and Null enabled = false`,
    ]);
  });

  it.each([
    { Effect: 'Deny', Action: 'a:B', Resource: '*' },
    { Effect: 'Allow', Action: 'a:*', Resource: '*' },
    { Effect: 'Allow', Action: 'a:B' },
  ])('refuse a statement of a kind that is not compared: %j', (statement) => {
    expect(() => permissionsIn({ Statement: [statement] })).toThrow(/not compared/);
  });
});
