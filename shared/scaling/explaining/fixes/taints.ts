import type { Taint, Toleration } from '#cluster/constraints.ts';
import { compareText } from '#cluster/order.ts';
import { keepsPodsAway, taintText, tolerates } from '#cluster/taints.ts';
import { changePods, podPatch } from '../change-input.ts';
import type { Change } from '../explanation.ts';
import { beyondRepair, type Fixer } from '../fault.ts';
import type { Look } from '../look.ts';
import { tolerationPolicyText } from '../toleration-policy.ts';

/** Taints that say how a node is or whose it is: to tolerate them is no remedy. */
const reservedPrefixes = ['node.kubernetes.io/', 'node.cloudprovider.kubernetes.io/'];
const reservedKeys = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

const isReserved = ({ key }: Taint, startupTaints: readonly string[]): boolean =>
  reservedKeys.includes(key) ||
  startupTaints.includes(key) ||
  reservedPrefixes.some((prefix) => key.startsWith(prefix));

/** Those that admission gives every pod: nobody wrote them. */
const isDefault = ({ key = '', tolerationSeconds }: Toleration): boolean =>
  tolerationSeconds !== undefined && key.startsWith('node.kubernetes.io/');

const tolerationOf = ({ key, value, effect }: Taint): Toleration =>
  value === '' ? { key, operator: 'Exists', effect } : { key, operator: 'Equal', value, effect };

const tolerate = (taints: readonly Taint[], { pod, input }: Look): Change => {
  const more = taints.map(tolerationOf);
  const all = [...pod.tolerations.filter((one) => !isDefault(one)), ...more];
  const policy = tolerationPolicyText(more, pod.namespace, input.snapshot);
  return {
    kind: 'toleration',
    message: `tolerate ${taints.map(taintText).join(' and ')}`,
    note: policy,
    patch: podPatch(pod, { tolerations: all.map((one) => ({ ...one })) }),
    size: taints.length,
    apply: (before) =>
      changePods(before, pod, (one) => ({ ...one, tolerations: [...one.tolerations, ...more] })),
  };
};

/** The toleration that was forgotten. */
export const fixTaints: Fixer = ({ templates }, look) => {
  const { tolerations } = look.pod;
  const missing = new Map<string, Taint>();
  for (const taint of templates.flatMap(({ taints }) => taints)) {
    if (!keepsPodsAway(taint) || tolerations.some((one) => tolerates(one, taint))) continue;
    missing.set(taintText(taint), taint);
  }
  const taints = [...missing.values()].sort((a, b) => compareText(taintText(a), taintText(b)));
  const { startupTaints } = look.input.policy;
  if (taints.length === 0 || taints.some((taint) => isReserved(taint, startupTaints))) {
    return beyondRepair;
  }
  return [{ fixes: [tolerate(taints, look)] }];
};
