import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Outrider, type OutriderProps } from '../../../infra/constructs/outrider.ts';
import '../../helpers/own-temporary-folder.ts';

/** Two networks, one in a VPC; one cluster acts, one only in one group, two observe. */
export const sampleConfiguration = `
networks:
  - name: open
  - name: walled
    vpc:
      vpcId: vpc-0a1b2c3d
      subnetIds: [subnet-0a1b2c3d, subnet-0a1b2c3e]
      securityGroupIds: [sg-0a1b2c3d]
clusters:
  - { name: actor, network: open, mode: act, apiSecret: secrets/actor }
  - { name: watcher, network: open }
  - { name: quiet, network: walled }
`;

export const configurationFile = (text: string = sampleConfiguration): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'outrider-test-')), 'outrider.yaml');
  writeFileSync(file, text);
  return file;
};

/** An app that bundles nothing: what is tested here is the template. */
export const appWithoutBundles = (): App => new App({ context: { 'aws:cdk:bundling-stacks': [] } });

export interface Synthesised {
  readonly outrider: Outrider;
  readonly stack: Stack;
  template(): Template;
}

export const synthesise = (props: Partial<OutriderProps> = {}): Synthesised => {
  const stack = new Stack(appWithoutBundles(), 'Test');
  const outrider = new Outrider(stack, 'Outrider', {
    configurationFile: configurationFile(),
    ...props,
  });
  return { outrider, stack, template: () => Template.fromStack(stack) };
};

export interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Every statement of the role of one network's function. */
export const statementsOf = (template: Template, network: string): readonly Statement[] =>
  statementsOfRole(template, `Network${network}Role`);

/** Of the inline policy and of managed ones, of roles whose ids contain `role`. */
export const statementsOfRole = (template: Template, role: string): readonly Statement[] =>
  ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']
    .flatMap((type) => Object.entries(template.findResources(type)))
    .filter(([id]) => id.includes(role))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);

export const actionsOf = ({ Action }: Statement): readonly string[] =>
  typeof Action === 'string' ? [Action] : Action;
