import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { App, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { OutriderStack } from './stacks/outrider-stack.ts';

/*
 * Context: `configuration` (path of outrider.yaml; default ./outrider.yaml, else the example) and
 * `removal` (`destroy` lets everything go with the stack, for trials; default `retain`).
 */
const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

const fromRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

const configurationFile = (): string => {
  const given = app.node.tryGetContext('configuration') as unknown;
  if (typeof given === 'string' && given !== '') return given;
  const own = fromRoot('outrider.yaml');
  return existsSync(own) ? own : fromRoot('examples/outrider.yaml');
};

const removalPolicy = (): RemovalPolicy => {
  const given = (app.node.tryGetContext('removal') as unknown) ?? 'retain';
  if (given === 'retain') return RemovalPolicy.RETAIN;
  if (given === 'destroy') return RemovalPolicy.DESTROY;
  throw new Error(`context removal: is ${String(given)}; give retain or destroy`);
};

new OutriderStack(app, 'Outrider', {
  description: 'Outrider: nodes of self-managed Kubernetes clusters, run from outside the cluster.',
  configurationFile: configurationFile(),
  removalPolicy: removalPolicy(),
});
