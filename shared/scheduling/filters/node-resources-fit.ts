import { formatAmounts, withUnit } from '#cluster/format-amount.ts';
import { amountIn } from '#cluster/resources.ts';
import type { ResourceRow } from '../state/resource-rows.ts';
import type { FitReason } from './filter.ts';
import type { FilterPlugin } from './plugin.ts';

interface Request {
  readonly row: ResourceRow;
  readonly amount: number;
}

function tooMany(pods: ResourceRow, node: number): FitReason {
  const room = pods.allocatable[node] ?? 0;
  const there = room - (pods.free[node] ?? 0);
  return {
    code: 'tooManyPods',
    message: `Too many pods (${there} there, room for ${room})`,
    schedulerReason: 'Too many pods',
  };
}

function insufficient({ row, amount }: Request, node: number): FitReason {
  const total = row.allocatable[node] ?? 0;
  const free = Math.max(0, row.free[node] ?? 0);
  const [needs, left, all] = formatAmounts(row.name, [amount, free, total]).map((text) =>
    withUnit(row.name, text),
  );
  const offer = total === 0 ? 'the node has none' : `${left} free of ${all}`;
  return {
    code: 'insufficientResource',
    message: `Insufficient ${row.name} (needs ${needs}, ${offer})`,
    schedulerReason: `Insufficient ${row.name}`,
  };
}

/**
 * NodeResourcesFit: room for one more pod, and each request that is not zero is at most what is free; a
 * zero request passes even on an overcommitted node.
 */
export const nodeResourcesFit: FilterPlugin = {
  name: 'NodeResourcesFit',
  tellsAll: true,
  ask: ({ requests }, { resources }) => {
    const { pods } = resources;
    const wants: readonly Request[] = Object.keys(requests)
      .sort()
      .map((name) => ({ row: resources.row(name), amount: amountIn(requests, name) }))
      .filter(({ amount }) => amount > 0);
    const lacks = ({ row, amount }: Request, node: number): boolean =>
      amount > (row.free[node] ?? 0);
    return {
      passes: (node) => {
        if ((pods.free[node] ?? 0) < 1) return false;
        for (const want of wants) {
          if (lacks(want, node)) return false;
        }
        return true;
      },
      inARow: (node, wanted) => {
        let most = Math.min(wanted, pods.free[node] ?? 0);
        for (const { row, amount } of wants) {
          const free = row.free[node] ?? 0;
          if (free < amount * most) most = Math.floor(free / amount);
        }
        return Math.max(most, 0);
      },
      explain: (node) => [
        ...((pods.free[node] ?? 0) < 1 ? [tooMany(pods, node)] : []),
        ...wants.filter((want) => lacks(want, node)).map((want) => insufficient(want, node)),
      ],
    };
  },
};
