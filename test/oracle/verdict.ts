import { refusal } from './extender.ts';

/** What one side says about one pod, for all nodes at once. */
export interface Verdict {
  /** Nodes that passed every filter; sorted. */
  readonly passed: readonly string[];
  /** How many nodes there are. */
  readonly nodes: number;
  /** Why the pod was refused before any node was looked at. */
  readonly rejected?: string;
  /** How many nodes were refused for each reason; those that passed are not counted. */
  readonly reasons: Readonly<Record<string, number>>;
  /** The scheduler gave up with an error, which it retries: no node passed, and the words do not matter. */
  readonly error?: string;
}

const shape = /^0\/(\d+) nodes are available: ?(.*)$/s;

/** What the PostFilter of DynamicResources adds where an earlier plugin rejected the pod before it looked at it. */
const afterFilters = / not found$/;

/**
 * Reads the message of a PodScheduled condition: `0/5 nodes are available: 2 Insufficient cpu, 3 …`, or
 * a sentence instead of the counts where no node was looked at.
 */
export const verdictOf = (message: string, passed: readonly string[]): Verdict => {
  const found = shape.exec(message);
  if (found === null) return { passed: [], nodes: 0, reasons: {}, error: message };
  const nodes = Number(found[1]);
  const told = (found[2] ?? '').replace(afterFilters, '').replace(/\.$/, '');
  const sorted = [...passed].sort();
  if (told === '') return { passed: sorted, nodes, reasons: {} };
  if (!/^\d+ /.test(told)) return { passed: sorted, nodes, reasons: {}, rejected: told };
  const reasons: Record<string, number> = {};
  for (const part of told.split(/, (?=\d+ )/)) {
    const space = part.indexOf(' ');
    const reason = part.slice(space + 1);
    if (reason !== refusal) reasons[reason] = Number(part.slice(0, space));
  }
  return { passed: sorted, nodes, reasons };
};

/** Where two verdicts differ, in words; empty where they agree. */
export const differences = (scheduler: Verdict, engine: Verdict): readonly string[] => {
  if (scheduler.error !== undefined) {
    return engine.passed.length === 0
      ? []
      : [
          `the scheduler gave up (${scheduler.error}), the engine passes ${engine.passed.join(', ')}`,
        ];
  }
  const lines: string[] = [];
  if (scheduler.nodes !== engine.nodes) {
    lines.push(`the scheduler sees ${scheduler.nodes} nodes, the engine ${engine.nodes}`);
  }
  const only = (a: Verdict, b: Verdict): readonly string[] =>
    a.passed.filter((node) => !b.passed.includes(node));
  for (const node of only(scheduler, engine)) lines.push(`${node}: only the scheduler passes it`);
  for (const node of only(engine, scheduler)) lines.push(`${node}: only the engine passes it`);
  if (scheduler.rejected !== engine.rejected) {
    lines.push(
      `before any node the scheduler says ${quoted(scheduler.rejected)}, the engine ${quoted(engine.rejected)}`,
    );
  }
  const names = new Set([...Object.keys(scheduler.reasons), ...Object.keys(engine.reasons)]);
  for (const reason of [...names].sort()) {
    const [theirs, ours] = [scheduler.reasons[reason] ?? 0, engine.reasons[reason] ?? 0];
    if (theirs !== ours)
      lines.push(`"${reason}": ${theirs} nodes by the scheduler, ${ours} by the engine`);
  }
  return lines;
};

const quoted = (text: string | undefined): string => (text === undefined ? 'nothing' : `"${text}"`);
