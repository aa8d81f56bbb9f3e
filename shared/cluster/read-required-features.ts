import { booleanAt, hasElements, type ObjectField, objectsAt, textAt } from './fields.ts';

const restartsAll = (container: ObjectField): boolean =>
  hasElements(container, 'restartPolicyRules') &&
  objectsAt(container, 'restartPolicyRules').some(
    (rule) => textAt(rule, 'action') === 'RestartAllContainers',
  );

/**
 * What the NodeDeclaredFeatures filter asks of a node for this pod, sorted: always on in Kubernetes 1.37
 * (k8s.io/component-helpers/nodedeclaredfeatures). Of the features that are inferred for scheduling,
 * VolumeBindMountOptions is left out: its field is dropped by an API server that has it off, as by default.
 */
export function readRequiredFeatures(
  spec: ObjectField,
  containers: readonly ObjectField[],
): readonly string[] {
  const needed: string[] = [];
  if (containers.some(restartsAll)) needed.push('RestartAllContainersOnContainerExits');
  if (spec.fields.hostUsers === false && booleanAt(spec, 'hostNetwork')) {
    needed.push('UserNamespacesHostNetworkSupport');
  }
  return needed;
}
