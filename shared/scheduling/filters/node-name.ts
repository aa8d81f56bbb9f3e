import type { FilterPlugin } from './plugin.ts';

const schedulerReason = "node(s) didn't match the requested node name";

/** NodeName: a pod that asks for one node by name. */
export const nodeName: FilterPlugin = {
  name: 'NodeName',
  ask: ({ requestedNode }, { nodes }) => {
    if (requestedNode === undefined) return undefined;
    const judge = (node: number): boolean => nodes.at(node).name === requestedNode;
    return {
      onlyNodes: new Set([requestedNode]),
      fixed: { judge, byName: true },
      explain: (node) =>
        judge(node)
          ? []
          : [
              {
                code: 'nodeName',
                message: `the pod asks for the node ${requestedNode}`,
                schedulerReason,
              },
            ],
    };
  },
};
