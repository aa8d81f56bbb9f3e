import { type PodView, podKey } from '#cluster/snapshot.ts';
import type { Reason, ScaleUpInput } from '../decision.ts';
import { stuckReasons } from '../stuck-reasons.ts';
import type { Explanation } from './explanation.ts';
import { noSuchPod, readPodKey } from './find-pod.ts';
import { type Look, lookAt, podNamed } from './look.ts';
import { reasonsOfNodes } from './reasons-of-nodes.ts';
import { remediesOf } from './remedies.ts';

export interface ExplainRequest {
  /** `namespace/name`. */
  readonly pod: string;
  /** Whether every node is asked, too. */
  readonly nodes: boolean;
}

/** Nothing can be explained: one line with the remedy. */
export interface Unexplained {
  readonly refused: string;
}

/**
 * Why a pod runs, will run or cannot: the verdict of the decision on the whole cluster, what each group and on
 * demand each node has to say, and for a stuck pod what would help, each remedy proven by deciding anew with it.
 * Pure; takes a few dozen decisions where the pod is stuck.
 */
export const explainPod = (
  input: ScaleUpInput,
  { pod: text, nodes }: ExplainRequest,
): Explanation | Unexplained => {
  const key = readPodKey(text);
  if (typeof key !== 'string') return key;
  const pod = podNamed(input.snapshot, key);
  if (pod === undefined) return { refused: noSuchPod(key, input.snapshot) };
  const look = lookAt(input, key);
  if (look === undefined) return settled(pod);
  const isStuck = look.verdict === 'stuck';
  return {
    pod: key,
    verdict: look.verdict,
    reason: headline(look),
    ...(look.outcome === undefined ? {} : { outcome: look.outcome }),
    groups: look.verdict === 'ignored' ? [] : reasonsOfGroups(look),
    ...(nodes ? { nodes: reasonsOfNodes(look) } : {}),
    remedies: isStuck ? remediesOf(look) : [],
  };
};

/** A pod that waits for nothing. */
const settled = (pod: PodView): Explanation => {
  const { nodeName, phase } = pod;
  const done = phase === 'Succeeded' || phase === 'Failed';
  const said = { pod: podKey(pod), groups: [], remedies: [] };
  if (done || nodeName === undefined) {
    const message = done
      ? `it has ended (${phase}): it needs no node any more`
      : `its phase is ${phase}: only Pending pods wait for a node`;
    return {
      ...said,
      verdict: 'ignored',
      reason: { code: done ? 'ended' : 'notPending', message },
    };
  }
  return {
    ...said,
    verdict: 'fits',
    reason: { node: nodeName, code: 'bound', message: `it is bound to the node ${nodeName}` },
    outcome: { node: nodeName },
  };
};

const headline = ({ verdict, outcome, reasons }: Look): Reason => {
  const { node, group } = outcome ?? {};
  if (verdict === 'scaleUp') {
    const message = `it gets a new node of the group ${group}`;
    return { group: group ?? '', code: 'chosen', message };
  }
  if (verdict === 'fits') {
    const message =
      group === undefined
        ? `the node ${node} takes it: the scheduler will find that, no new node is needed`
        : `a node of the group ${group} that is on its way takes it`;
    return { ...outcome, code: 'fits', message };
  }
  const [first] = reasons;
  const everywhere = first?.group === undefined ? first : undefined;
  if (everywhere !== undefined) return everywhere;
  const message = 'it fits no node as they are, and no group can be raised for it';
  return { code: 'stuck', message };
};

/** What of the reasons of stuck pods only says that the group would do. */
const wouldDo: ReadonlySet<string> = new Set(['helpsNoMore', 'decisionLimit']);

const reasonsOfGroups = ({ verdict, reasons, outcome, pod, context }: Look): readonly Reason[] => {
  if (verdict === 'stuck') return reasons.filter(({ group }) => group !== undefined);
  return stuckReasons(pod, context)
    .filter(({ group }) => group !== undefined)
    .map((reason) => {
      const { group = '' } = reason;
      if (verdict === 'scaleUp' && group === outcome?.group) {
        return {
          group,
          code: 'chosen',
          message: 'it is raised, and one of its new nodes takes the pod',
        };
      }
      return wouldDo.has(reason.code)
        ? { group, code: 'fits', message: 'a new node of it would take the pod as well' }
        : reason;
    });
};
