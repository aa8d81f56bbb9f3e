import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Annotations, App, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { OutriderStack } from './stacks/outrider-stack.ts';

/*
 * Context: `configuration` (path of outrider.yaml; default ./outrider.yaml, else the example) and
 * `removal` (`destroy` lets everything go with the stack, for trials; default `retain`).
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

const build = (): void => {
  const { path, isExample } = configurationFile();
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
