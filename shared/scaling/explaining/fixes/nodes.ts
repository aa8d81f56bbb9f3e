import { changeSnapshot } from '../change-input.ts';
import { beyondRepair, type Fixer } from '../fault.ts';

/** A cordoned node opened again. */
export const uncordon: Fixer = ({ name, group }) => {
  if (group !== undefined) return beyondRepair;
  return [
    {
      fixes: [
        {
          kind: 'uncordon',
          message: `uncordon the node ${name}`,
          note: 'somebody cordoned it: see why first',
          patch: `# kubectl uncordon ${name}`,
          size: 0,
          slot: 'uncordon',
          apply: (input) =>
            changeSnapshot(input, {
              nodes: input.snapshot.nodes.map((node) =>
                node.name === name
                  ? {
                      ...node,
                      unschedulable: false,
                      taints: node.taints.filter(
                        ({ key }) => key !== 'node.kubernetes.io/unschedulable',
                      ),
                    }
                  : node,
              ),
            }),
        },
      ],
    },
  ];
};
