import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, NestedStack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { OutriderStack } from '../../../infra/stacks/outrider-stack.ts';
import { configurationFile, type Statement } from './synthesise.ts';

/*
 * The quotas of IAM and CloudFormation, counted here by their own means: characters without white space after
 * the longest of all partitions, regions and names have been filled in.
 * Sources: "IAM and AWS STS quotas"; "CloudFormation quotas".
 */
const quota = { inline: 10_240, managed: 6_144, attached: 10, resources: 500, template: 1_048_576 };

interface Resource {
  readonly Type: string;
  readonly Properties: {
    readonly PolicyDocument: { readonly Statement: readonly Statement[] };
    readonly Roles: readonly { readonly Ref: string }[];
  };
}

interface Synthesis {
  readonly templates: readonly { readonly Resources: Readonly<Record<string, Resource>> }[];
  readonly warnings: readonly string[];
}

const synth = (networks: number, extra: (index: number) => string): Synthesis => {
  const names = Array.from({ length: networks }, (_, index) => `net-${index}`);
  const clusters = Array.from(
    { length: 1000 },
    (_, index) =>
      `  - { name: ${nameOf(index)}, network: net-${index % networks}, mode: act, relay: true${extra(index)} }`,
  );
  const text = `networks: [${names.map((name) => `{ name: ${name} }`).join(', ')}]\nclusters:\n${clusters.join('\n')}\n`;
  const app = new App({
    context: { 'aws:cdk:bundling-stacks': [], '@aws-cdk/aws-iam:minimizePolicies': true },
  });
  const stack = new OutriderStack(app, 'Outrider', { configurationFile: configurationFile(text) });
  const assembly = app.synth();
  const artifact = assembly.getStackArtifact(stack.artifactId);
  const nested = stack.node.findAll().filter((each) => NestedStack.isNestedStack(each));
  const read = ({ templateFile }: { readonly templateFile: string }) =>
    JSON.parse(readFileSync(join(assembly.directory, templateFile), 'utf8'));
  return {
    templates: [artifact.template, ...nested.map(read)],
    warnings: artifact.messages
      .filter(({ level }) => level === 'warning')
      .map(({ entry }) => `${entry.data}`),
  };
};

const nameOf = (index: number): string => `cluster-${`${index}`.padStart(4, '0')}`;

const text = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('{"Ref":"AWS::Partition"}', '"aws-us-gov"')
    .replaceAll('{"Ref":"AWS::Region"}', '"ap-southeast-1"')
    .replaceAll('{"Ref":"AWS::AccountId"}', '"000000000000"')
    .replaceAll(/\{"Fn::GetAtt":\[[^\]]*\]\}/g, `"${'x'.repeat(120)}"`)
    .replaceAll(/\{"Fn::Join":\["",\[((?:"[^"]*",?)+)\]\]\}/g, (_, parts: string) =>
      JSON.stringify((JSON.parse(`[${parts}]`) as string[]).join('')),
    );

/** Holds every role against the quotas; gives all statements of the networks' roles. */
const withinQuotas = ({ templates }: Synthesis): readonly Statement[] => {
  for (const template of templates) {
    expect(Object.keys(template.Resources).length).toBeLessThanOrEqual(quota.resources);
    expect(JSON.stringify(template, undefined, 1).length).toBeLessThan(quota.template);
  }
  const alarms = templates.flatMap(({ Resources }) =>
    Object.keys(Resources).filter((id) => /Clustercluster/.test(id)),
  );
  // Failed looks and heartbeat of each.
  expect(new Set(alarms).size).toBe(2000);
  const policies = Object.values(templates[0]?.Resources ?? {}).filter(({ Type }) =>
    /^AWS::IAM::(Managed)?Policy$/.test(Type),
  );
  const attached = new Map<string, number>();
  for (const { Type, Properties } of policies) {
    const isManaged = Type === 'AWS::IAM::ManagedPolicy';
    const size = text(Properties.PolicyDocument).length;
    expect(size).toBeLessThanOrEqual(isManaged ? quota.managed : quota.inline);
    const role = Properties.Roles[0]?.Ref ?? '';
    if (isManaged) attached.set(role, (attached.get(role) ?? 0) + 1);
  }
  for (const number of attached.values()) expect(number).toBeLessThanOrEqual(quota.attached);
  return policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
};

const raises = (statements: readonly Statement[]) =>
  statements.filter(({ Action }) => Action === 'autoscaling:SetDesiredCapacity');
const secrets = (statements: readonly Statement[]): string =>
  text(statements.filter(({ Action }) => Action === 'secretsmanager:GetSecretValue'));

describe('1,000 clusters', () => {
  it('fit two networks with each secret by its name, and with the tag that all groups carry', () => {
    const made = synth(2, () => '');
    const statements = withinQuotas(made);
    for (let index = 0; index < 1000; index += 1) {
      expect(secrets(statements)).toContain(`:secret:outrider/${nameOf(index)}-??????"`);
    }
    expect(secrets(statements)).not.toContain('*');
    expect(raises(statements).map(({ Condition }) => Condition)).toEqual(
      Array(2).fill({
        Null: { 'autoscaling:ResourceTag/k8s.io/cluster-autoscaler/enabled': 'false' },
      }),
    );
    expect(made.warnings).toEqual([
      expect.stringMatching(/net-0.*tags .* in common.*outrider\.dev\/cluster: NAME/),
      expect.stringMatching(/net-1.*tags .* in common/),
    ]);
  });

  it('need no wider grants where one tag’s value names the cluster', () => {
    const made = synth(2, (index) => `, discoveryTags: { outrider.dev/cluster: ${nameOf(index)} }`);
    const statements = withinQuotas(made);
    const values = raises(statements).flatMap(
      ({ Condition }) =>
        Condition?.StringEquals?.['autoscaling:ResourceTag/outrider.dev/cluster'] as string[],
    );
    expect(values.toSorted()).toEqual(Array.from({ length: 1000 }, (_, index) => nameOf(index)));
    expect(made.warnings).toEqual([]);
  });

  it('fit one network with their secrets by folder', () => {
    const made = synth(1, () => '');
    const statements = withinQuotas(made);
    expect(secrets(statements)).toMatch(/:secret:outrider\/\*"/);
    expect(made.warnings).toEqual([
      expect.stringMatching(/tags .* in common/),
      expect.stringMatching(/folders.*apiSecret: outrider\/NETWORK\/NAME/),
    ]);
  });

  it('fit with a role in an account of its own each', () => {
    const made = synth(
      2,
      (index) =>
        `, account: { roleArn: "arn:aws:iam::${300_000_000_000 + index}:role/outrider-cluster", externalId: id-${index} }`,
    );
    const statements = withinQuotas(made);
    const assumed = statements.filter(({ Action }) => Action === 'sts:AssumeRole');
    const roles = assumed.flatMap(({ Resource }) => Resource as string[]);
    // Once for the network and once for forward-events.
    expect(roles).toHaveLength(2000);
    expect(text(roles)).not.toContain('*');
  });

  it('are refused with the remedy where nothing fits', () => {
    const loose = (index: number) => `, apiSecret: api-server-of-${nameOf(index)}`;
    expect(() => synth(1, loose)).toThrow(/1000 clusters of net-0.*outrider\/net-0\/NAME/);
    const strangers = (index: number) => `, discoveryTags: { tag-${index}: "", x-${index}: "" }`;
    expect(() => synth(2, strangers)).toThrow(/500 clusters.*nothing in common.*discoveryTags/);
  });
});
