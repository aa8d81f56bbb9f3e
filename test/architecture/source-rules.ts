import { posix } from 'node:path';

/*
 * What the lint cannot see. Each rule looks at one source text and names the lines that break it.
 */

export interface Source {
  /** Relative to the checkout, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Breach {
  readonly path: string;
  readonly line: number;
  readonly rule: SourceRule;
}

export type SourceRule =
  | 'random'
  | 'dynamicImport'
  | 'escapesRoom'
  | 'clockInPureRoom'
  | 'valueInPort'
  | 'tooLong'
  | 'namesTestBed';

/** The files that may draw lots, for the jitter of retries. Everything that decides is replayed. */
const mayDraw = ['relay/main.ts', 'shared/wiring/relay.ts', 'functions/scale-up/settle-message.ts'];

/** The one file that may load modules while it runs. */
const loadsVerbs = 'cli/main.ts';

const pureRooms = [
  'cluster',
  'scheduling',
  'kubelet',
  'scaling',
  'world',
  'safety',
  'draining',
  'interruption',
  'repair',
  'etcd',
  'images',
  'rollout',
  'tenancy',
];

const longestFile = 400;

/** `shared/scaling`, `cli`, `functions/scale-up` (with `functions/lib` in common). */
const roomOf = (path: string): string => {
  const [first = '', second = ''] = path.split('/');
  return first === 'shared' ? `${first}/${second}` : first;
};

const isPure = (path: string): boolean =>
  pureRooms.some((room) => path.startsWith(`shared/${room}/`));

/**
 * The text without comments, line by line as long as before, so that prose breaks no rule. Strings stay:
 * import paths are strings.
 */
export const withoutComments = (text: string): string =>
  text.replace(
    /('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (found: string, string?: string) => string ?? found.replace(/[^\n]/g, ' '),
  );

const resolve = (from: string, specifier: string): string =>
  posix.normalize(posix.join(posix.dirname(from), specifier));

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

interface Pattern {
  readonly rule: SourceRule;
  readonly pattern: RegExp;
  readonly applies: (path: string) => boolean;
}

const patterns: readonly Pattern[] = [
  {
    rule: 'random',
    // `Math.random`, `Math['random']`, `{ random } = Math`, `const m = Math;`
    pattern: /\bMath\s*(?:\?\.|\.)\s*random\b|\bMath\s*(?:\?\.)?\[|=\s*Math\s*[;,)\n]/g,
    applies: (path) => !mayDraw.includes(path),
  },
  {
    rule: 'dynamicImport',
    pattern: /\bimport\s*\(|\brequire\s*\(|\bnew\s+Function\b|\beval\s*\(/g,
    applies: (path) => path !== loadsVerbs,
  },
  {
    rule: 'dynamicImport',
    // Verbs are loaded when named: modules of its own room alone, so that no arrow is hidden from the lint.
    pattern:
      /\bimport\s*\((?!'\.\/commands\/[a-z-]+\.ts'\))|\brequire\s*\(|\bnew\s+Function\b|\beval\s*\(/g,
    applies: (path) => path === loadsVerbs,
  },
  {
    rule: 'dynamicImport',
    pattern: /\bcreateRequire\b/g,
    applies: () => true,
  },
  {
    rule: 'clockInPureRoom',
    pattern: /\bDate\b(?!['"`])|\bglobalThis\b|\bTemporal\b|\bperformance\b\s*[.[]|\bself\s*[.[]/g,
    applies: isPure,
  },
  {
    rule: 'valueInPort',
    // The lint cannot tell `import type` from `import`. A name in braces marked `type` still runs the module.
    pattern:
      /(?<=^|[;}\n]\s*)(?:import\b(?!\s+type\s+(?!from\b))|export\s*(?:\*|\{[^}]*\}\s*from\b))/g,
    applies: (path) => path.startsWith('shared/ports/'),
  },
  {
    rule: 'namesTestBed',
    pattern: /test-?bed|\blocalstack\b|\bmoto\b/gi,
    applies: () => true,
  },
];

const imports = /(?:\bfrom\s*|\bimport\s*)(['"])(\.[^'"]*)\1/g;

/** Every breach in one product file (not a test). */
export const breachesOf = ({ path, text }: Source): readonly Breach[] => {
  const code = withoutComments(text);
  const breaches: Breach[] = [];
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (lines > longestFile) breaches.push({ path, line: lines, rule: 'tooLong' });
  for (const { rule, pattern, applies } of patterns) {
    if (!applies(path)) continue;
    for (const { index } of (rule === 'namesTestBed' ? text : code).matchAll(pattern)) {
      breaches.push({ path, line: lineAt(code, index), rule });
    }
  }
  for (const { index, 2: specifier = '' } of code.matchAll(imports)) {
    if (roomOf(resolve(path, specifier)) === roomOf(path)) continue;
    breaches.push({ path, line: lineAt(code, index), rule: 'escapesRoom' });
  }
  return breaches;
};
