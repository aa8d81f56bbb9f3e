import { formatTime } from '#cluster/time.ts';
import { sizeWith } from '../../coming.ts';
import { changeGroup, groupPatch } from '../change-input.ts';
import type { Change } from '../explanation.ts';
import { beyondRepair, type Fixer } from '../fault.ts';
import { yamlOf } from '../yaml.ts';

/** Large enough for whatever is to be planned: what is needed of it is seen then. */
const ample = 100_000;

const raiseMaximum = (name: string, before: number, to: number): Change => ({
  kind: 'groupMaximum',
  message: `raise the maximum of the group ${name} from ${before} to ${to}`,
  patch: groupPatch(name, { MaxSize: to }),
  size: to - before,
  slot: `maximum ${name}`,
  apply: (input) => changeGroup(input, name, (group) => [{ ...group, max: to }]),
});

/** The maximum raised to what the pods need of it. */
export const fixMaximum: Fixer = ({ name, group: state }) => {
  if (state === undefined) return beyondRepair;
  const { max } = state.group;
  const change: Change = {
    ...raiseMaximum(name, max, max + ample),
    size: 1,
    exact: (nodesAdded) =>
      raiseMaximum(name, max, Math.max(sizeWith(state.coming, nodesAdded(name)), max + 1)),
  };
  return [{ fixes: [change] }];
};

/** The time when the group is raised again. */
export const fixBackOff: Fixer = ({ name, group: state }) => {
  if (state?.backOff === undefined) return beyondRepair;
  const { untilMs, code } = state.backOff;
  const change: Change = {
    kind: 'wait',
    message: `wait until ${formatTime(untilMs)}, when the group ${name} is raised again (its launches failed: ${code})`,
    patch: '# nothing to change',
    size: 0,
    slot: `back-off ${name}`,
    apply: (input) => ({
      ...input,
      ledger: input.ledger.map((entry) => {
        const { backOff: _over, ...rest } = entry;
        return entry.group === name ? rest : entry;
      }),
    }),
  };
  return [{ fixes: [change] }];
};

/** The Launch process resumed. */
export const fixSuspended: Fixer = ({ name }) => [
  {
    fixes: [
      {
        kind: 'resumeLaunch',
        message: `resume the Launch process of the group ${name}`,
        patch: `# aws autoscaling resume-processes --auto-scaling-group-name ${name} --scaling-processes Launch`,
        size: 0,
        apply: (input) =>
          changeGroup(input, name, (group) => [
            {
              ...group,
              suspendedProcesses: group.suspendedProcesses.filter((one) => one !== 'Launch'),
            },
          ]),
      },
    ],
  },
];

/** The next look, for which nothing has to be done; or more nodes in one decision. */
export const fixDecisionLimit: Fixer = (_site, { input }) => {
  const { maxNodesPerDecision: before } = input.policy;
  const raise = (to: number): Change => ({
    kind: 'policyLimit',
    message: `wait for the next looks, or raise scaling.maxNodesPerDecision from ${before} to ${to}`,
    patch: `# outrider.yaml, of the cluster ${input.cluster}\n${yamlOf({ scaling: { maxNodesPerDecision: to } })}`,
    size: to - before,
    slot: 'maxNodesPerDecision',
    apply: (asked) => ({ ...asked, policy: { ...asked.policy, maxNodesPerDecision: to } }),
  });
  return [
    {
      fixes: [raise(Math.min(before * 2, 10_000)), raise(10_000)].filter(({ size }) => size > 0),
    },
  ];
};
