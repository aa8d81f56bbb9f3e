import { deliberate } from '#scaling/decide-scale-up.ts';
import { nodesOf, type ScaleUpDecision, type ScaleUpInput } from '#scaling/decision.ts';
import { occupancyOf } from '#scaling/occupancy.ts';
import type { Plan } from '#scaling/planning/plan.ts';
import type { OccupiedNode, StatePod } from '#scheduling/state/scheduling-state.ts';
import { bind, faultOf, rulesOf } from '../check/binding-rules.ts';

interface Step {
  readonly pod: StatePod;
  readonly node: string;
}

/** The nodes that there are when the raises have come, with the pods that are on them before any Pending one. */
function nodesToBe(input: ScaleUpInput, plan: Plan): readonly OccupiedNode[] {
  const { nodes, pods } = input.snapshot;
  const occupancy = occupancyOf(nodes, pods);
  const existing = nodes.map((template) => ({
    template,
    pods: occupancy.get(template.name) ?? [],
  }));
  const coming = plan.world.expected().map(({ node, kind }) => ({
    template: plan.world.state.nodeAt(node),
    pods: kind.daemonPods,
  }));
  return [...existing, ...coming];
}

/**
 * Throws where the decision raises other groups than its plan, or where its pods cannot be bound to the nodes
 * planned in any order that comes of binding, again and again, whatever may be bound by then.
 */
export function proveDecision(input: ScaleUpInput, decision: ScaleUpDecision): void {
  const { plan } = deliberate(input);
  const raised = decision.scaleUps.map((raise) => [raise.group, nodesOf(raise)] as const);
  if (JSON.stringify(raised.sort()) !== JSON.stringify([...plan.added].sort())) {
    throw new Error(`raises ${JSON.stringify(raised)}, planned ${JSON.stringify([...plan.added])}`);
  }
  const rules = rulesOf(nodesToBe(input, plan));
  const byName = new Map(rules.nodes.map((node) => [node.template.name, node]));
  let waiting: readonly Step[] = [
    ...plan.onExisting,
    ...plan.onExpected.map(({ pod, node }) => ({ pod, node: node.name })),
  ];
  for (;;) {
    const faults: string[] = [];
    const refused = waiting.filter(({ pod, node }) => {
      const place = byName.get(node);
      const fault = place === undefined ? 'there is no such node' : faultOf(pod, place, rules);
      if (place !== undefined && fault === undefined) bind(rules, pod, place);
      else faults.push(`${pod.name} on ${node}: ${fault}`);
      return fault !== undefined;
    });
    if (refused.length === 0) return;
    if (refused.length === waiting.length) {
      throw new Error(`an illegal plan: ${faults.slice(0, 3).join('; ')}`);
    }
    waiting = refused;
  }
}
