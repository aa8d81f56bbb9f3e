import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Annotations, App, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ClusterAccountStack } from './stacks/cluster-account-stack.ts';
import { OutriderStack } from './stacks/outrider-stack.ts';

/*
 * Context: `configuration` (path of outrider.yaml; default ./outrider.yaml, else the example) and
 * `removal` (`destroy` lets everything go with the stack, for trials; default `retain`).
 *
 * With `account-role` (the number of another account in which clusters' groups are) the app is the stack for
 * that account instead; `trusted-roles` is the deployment's output FunctionRoleArns.
 */
const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

const fromRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The file named, else ./outrider.yaml, else the example (for a first look at the templates). */
const configurationFile = (): { readonly path: string; readonly isExample: boolean } => {
  const given = app.node.tryGetContext('configuration') as unknown;
  if (typeof given === 'string' && given !== '') return { path: given, isExample: false };
  const own = fromRoot('outrider.yaml');
  return existsSync(own)
    ? { path: own, isExample: false }
    : { path: fromRoot('examples/outrider.yaml'), isExample: true };
};

const removalPolicy = (): RemovalPolicy => {
  const given = (app.node.tryGetContext('removal') as unknown) ?? 'retain';
  if (given === 'retain') return RemovalPolicy.RETAIN;
  if (given === 'destroy') return RemovalPolicy.DESTROY;
  throw new Error(`context removal: is ${String(given)}; give retain or destroy`);
};

const buildClusterAccount = (account: string, configuration: string): void => {
  const trusted = app.node.tryGetContext('trusted-roles') as unknown;
  if (!/^\d{12}$/.test(account)) {
    throw new Error(`context account-role: is ${account}; give the number of an account`);
  }
  if (typeof trusted !== 'string' || trusted === '') {
    throw new Error(
      "context trusted-roles: is missing; give the output FunctionRoleArns of the deployment's stack",
    );
  }
  new ClusterAccountStack(app, 'OutriderClusterAccount', {
    description: 'What Outrider, deployed in another account, needs in this one.',
    configurationFile: configuration,
    clusterAccount: account,
    trustedRoleArns: trusted.split(','),
  });
};

const build = (): void => {
  const { path, isExample } = configurationFile();
  const account = app.node.tryGetContext('account-role') as unknown;
  if (account !== undefined) {
    buildClusterAccount(`${account}`, path);
    return;
  }
  const stack = new OutriderStack(app, 'Outrider', {
    description:
      'Outrider: nodes of self-managed Kubernetes clusters, run from outside the cluster.',
    configurationFile: path,
    removalPolicy: removalPolicy(),
  });
  if (isExample) {
    Annotations.of(stack).addWarningV2(
      'outrider:example-configuration',
      'there is no outrider.yaml here, so examples/outrider.yaml is used: write your own, or name one with -c configuration=PATH, before you deploy',
    );
  }
};

try {
  build();
} catch (error) {
  // People's mistakes, each told in a line of its own; a stack trace would bury them.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
