import type { FitReason } from '../filters/filter.ts';
import type { FilterPlugin, PluginQuestion } from '../filters/plugin.ts';
import { type Judge, rememberedFor } from './answers.ts';
import type { FitQuestion, StatePod } from './scheduling-state.ts';
import type { StateTables } from './state-tables.ts';

interface Asked {
  readonly plugin: FilterPlugin;
  readonly question: PluginQuestion;
}

/** The names that PreFilter leaves, and which plugins say so; `undefined` where it leaves all. */
interface NameLimit {
  readonly names: ReadonlySet<string>;
  readonly plugins: string;
}

function nameLimit(asked: readonly Asked[]): NameLimit | undefined {
  let names: ReadonlySet<string> | undefined;
  const plugins: string[] = [];
  for (const { plugin, question } of asked) {
    const { onlyNodes } = question;
    if (onlyNodes === undefined) continue;
    const before = names;
    names =
      before === undefined ? onlyNodes : new Set([...onlyNodes].filter((name) => before.has(name)));
    plugins.push(plugin.name);
  }
  return names && { names, plugins: `[${plugins.sort().join(' ')}]` };
}

function rejection(asked: readonly Asked[], limit: NameLimit | undefined): FitReason | undefined {
  if (limit?.names.size === 0) {
    return {
      code: 'nodeAffinity',
      message: 'the node that the pod names is none of those that its node affinity names',
      schedulerReason: `node(s) didn't satisfy plugin(s) ${limit.plugins} simultaneously`,
    };
  }
  return asked.map(({ question }) => question.rejected).find((reason) => reason !== undefined);
}

const outside = ({ names, plugins }: NameLimit): FitReason => ({
  code: 'nodeName',
  message: `the pod may only run on ${[...names].slice(0, 3).join(', ')}${names.size > 3 ? ` or ${names.size - 3} more` : ''}`,
  schedulerReason: `node(s) didn't satisfy plugin(s) ${plugins}`,
});

/** As kube-scheduler reports them: a plugin that stops at its first reason tells none with other words. */
const told = ({ plugin, question }: Asked, node: number): readonly FitReason[] => {
  const reasons = question.explain(node);
  return plugin.tellsAll
    ? reasons
    : reasons.filter(({ schedulerReason }) => schedulerReason === reasons[0]?.schedulerReason);
};

/** Joins what each plugin asks for one class of pods, in the order of kube-scheduler. */
export function fitQuestion(
  id: number,
  pod: StatePod,
  { plugins, tables }: { readonly plugins: readonly FilterPlugin[]; readonly tables: StateTables },
): FitQuestion {
  const asked: readonly Asked[] = plugins.flatMap((plugin) => {
    const question = plugin.ask(pod, tables);
    return question === undefined ? [] : [{ plugin, question }];
  });
  const limit = nameLimit(asked);
  const rejected = rejection(asked, limit);
  const fixed = asked.flatMap(({ question }) => question.fixed ?? []);
  const checks = asked.flatMap(({ question }) => question.passes ?? []);
  const elsewhere = asked.flatMap(({ question }) => question.looksElsewhere ?? []);
  const rows = asked.flatMap(({ question }) => question.inARow ?? []);

  const suits: Judge =
    rejected === undefined
      ? rememberedFor(tables.nodes, {
          byName: fixed.some(({ byName }) => byName),
          judge: (node) => fixed.every(({ judge }) => judge(node)),
        })
      : () => false;
  const passes: Judge = (node) => {
    if (!suits(node)) return false;
    for (const check of checks) {
      if (!check(node)) return false;
    }
    return true;
  };
  const explainWith = (node: number, all: boolean): readonly FitReason[] => {
    if (rejected !== undefined) return [rejected];
    const isOutside = limit !== undefined && !limit.names.has(tables.nodes.at(node).name);
    const first = isOutside ? [outside(limit)] : [];
    if (all) return [...first, ...asked.flatMap(({ question }) => question.explain(node))];
    if (first.length > 0) return first;
    for (const one of asked) {
      const reasons = told(one, node);
      if (reasons.length > 0) return reasons;
    }
    return [];
  };

  return {
    id,
    ...(rejected === undefined ? {} : { rejected }),
    ...(limit === undefined ? {} : { onlyNames: limit.names }),
    suits,
    passes,
    looksElsewhere: () => elsewhere.some((looks) => looks()),
    countThatFits: (node, wanted) => {
      if (wanted <= 0 || !passes(node)) return 0;
      let most = wanted;
      for (const inARow of rows) most = inARow(node, most);
      return most;
    },
    explain: (node) => explainWith(node, false),
    explainAll: (node) => explainWith(node, true),
  };
}
