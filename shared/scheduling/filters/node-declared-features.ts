import type { FilterPlugin } from './plugin.ts';

const schedulerReason = "node(s) didn't match Pod's required features";

/** NodeDeclaredFeatures: the kubelet has declared every feature that the pod needs of it. */
export const nodeDeclaredFeatures: FilterPlugin = {
  name: 'NodeDeclaredFeatures',
  ask: ({ requiredFeatures = [] }, { nodes }) => {
    if (requiredFeatures.length === 0) return undefined;
    const missing = (node: number): readonly string[] => {
      const { declaredFeatures = [] } = nodes.templateOf(node);
      return requiredFeatures.filter((feature) => !declaredFeatures.includes(feature));
    };
    return {
      fixed: { judge: (node) => missing(node).length === 0, byName: false },
      explain: (node) =>
        missing(node).map((feature) => ({
          code: 'nodeFeature',
          message: `the pod needs ${feature}, which the node's kubelet does not declare`,
          schedulerReason,
        })),
    };
  },
};
