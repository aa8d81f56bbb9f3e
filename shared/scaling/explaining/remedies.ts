import { compareText } from '#cluster/order.ts';
import { podKey } from '#cluster/snapshot.ts';
import type { ScaleUpInput } from '../decision.ts';
import type { Change, Outcome, Remedy, RemedyKind } from './explanation.ts';
import { faultsOf } from './faults-of-site.ts';
import { type Look, lookAt } from './look.ts';
import { countThatTake, sitesOf } from './sites.ts';

/** Kinds from the smallest change to the largest, where as many changes are made. */
const kinds: readonly RemedyKind[] = [
  'wait',
  'nodeSelector',
  'nodeAffinity',
  'claim',
  'storageClass',
  'toleration',
  'uncordon',
  'resumeLaunch',
  'groupMaximum',
  'policyLimit',
  'label',
  'resource',
  'request',
  'hostPort',
  'topologySpread',
  'podAffinity',
  'podAntiAffinity',
  'instanceType',
  'zone',
];

/** Whole decisions are taken to prove: so many for single changes, and for pairs. */
const mostProofs = 16;
const mostRemedies = 8;
/** Of one kind of change, so many are enough. */
const mostOfKind = 3;
/** What is taken away, not put right, is a change of another order. */
const largeSize = 1000;

type Attempt = readonly [Change] | readonly [Change, Change];

/** Put right comes before taken away; then the order of kinds, the size within the kind, and the text. */
const compareChanges = (a: Change, b: Change): number =>
  Number(a.size >= largeSize) - Number(b.size >= largeSize) ||
  kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
  a.size - b.size ||
  compareText(a.message, b.message);

const compareAttempts = (a: Attempt, b: Attempt): number =>
  Number(takesAway(a)) - Number(takesAway(b)) ||
  a.length - b.length ||
  compareChanges(largestOf(a), largestOf(b)) ||
  compareText(textOf(a), textOf(b));

const takesAway = (attempt: Attempt): boolean => attempt.some(({ size }) => size >= largeSize);

const largestOf = (attempt: Attempt): Change =>
  [...attempt].sort(compareChanges).at(-1) ?? attempt[0];

const textOf = (attempt: Attempt): string => attempt.map(({ message }) => message).join(', and ');

const slotOf = (attempt: Attempt): string =>
  attempt.map(({ slot, message }) => slot ?? message).join(', ');

/** The least of each slot, in the order in which they are tried. */
const sorted = (attempts: readonly Attempt[]): readonly Attempt[] => {
  const bySlot = new Map<string, Attempt>();
  for (const attempt of [...attempts].sort(compareAttempts)) {
    if (!bySlot.has(slotOf(attempt))) bySlot.set(slotOf(attempt), attempt);
  }
  return [...bySlot.values()];
};

/** What would mend a site at which one thing is wrong, or two. */
const attemptsOf = (look: Look): readonly Attempt[] =>
  sitesOf(look).flatMap((site): readonly Attempt[] => {
    const [first, second, ...more] = faultsOf(site, look);
    if (first === undefined || more.length > 0) return [];
    if (second === undefined) return first.fixes.map((fix): Attempt => [fix]);
    return first.fixes.flatMap((one) =>
      second.fixes.map((two): Attempt => (one.message === two.message ? [one] : ordered(one, two))),
    );
  });

/** What changes less is said first; taken in either order, the two give the same. */
const ordered = (one: Change, two: Change): Attempt =>
  compareChanges(one, two) <= 0 ? [one, two] : [two, one];

const applied = (input: ScaleUpInput, attempt: Attempt): ScaleUpInput =>
  attempt.reduce((before, change) => change.apply(before), input);

interface Tried {
  readonly attempt: Attempt;
  readonly look: Look;
}

const helps = ({ look }: Tried): boolean => look.verdict === 'fits' || look.verdict === 'scaleUp';

const tryOut = (attempt: Attempt, { input, pod }: Look): Tried | undefined => {
  const look = lookAt(applied(input, attempt), podKey(pod));
  return look === undefined ? undefined : { attempt, look };
};

/** Proves an attempt; what could be less is then made so, and proven again. */
const prove = (attempt: Attempt, before: Look): Tried | undefined => {
  const tried = tryOut(attempt, before);
  if (tried === undefined || !helps(tried) || attempt.every(({ exact }) => exact === undefined)) {
    return tried;
  }
  const { added } = tried.look.context;
  const nodesAdded = (name: string): number => added.get(name) ?? 0;
  const newNodes = [...added.values()].reduce((sum, count) => sum + count, 0);
  const exact = attempt.map((change) => change.exact?.(nodesAdded, newNodes) ?? change);
  const [first, second] = exact;
  if (first === undefined) return tried;
  const again = tryOut(second === undefined ? [first] : [first, second], before);
  return again !== undefined && helps(again) ? again : tried;
};

/**
 * What would get a stuck pod running. Each is simulated: the decision is taken anew with the change made, to the
 * pod and to those of its owner that wait as well, and only what then finds a place for the pod is told.
 *
 * What puts right comes before what takes away or relaxes (a demand dropped, a rule made a preference); then one
 * change before two, which are looked for only where no single one puts right; then by kind as listed above, from waiting
 * and slips of the pen over the pod's tolerations, the groups' settings and tags, the pod's requests and rules
 * up to other instance types and new groups; then by how much is changed; then by text.
 */
export const remediesOf = (look: Look): readonly Remedy[] => {
  const attempts = attemptsOf(look);
  const singles = sorted(attempts.filter(({ length }) => length === 1));
  const tried = singles.slice(0, mostProofs).flatMap((attempt) => prove(attempt, look) ?? []);
  const proven = tried.filter(helps);
  if (proven.some(({ attempt }) => !takesAway(attempt))) return told(proven);
  const failed = tried.filter((one) => !helps(one));
  const pairs = sorted([...attempts.filter(({ length }) => length === 2), ...second(failed)]);
  // Beside a single change that takes away, two that do so are no help.
  const wanted = proven.length === 0 ? pairs : pairs.filter((pair) => !takesAway(pair));
  const more = wanted.slice(0, mostProofs).flatMap((attempt) => prove(attempt, look) ?? []);
  return told([...proven, ...more.filter(helps)]);
};

/** A change that was not enough may show what else is wrong. */
const second = (tried: readonly Tried[]): readonly Attempt[] =>
  tried.flatMap(({ attempt: [one], look }) =>
    attemptsOf(look).flatMap((more): readonly Attempt[] => {
      const [two] = more;
      return more.length === 1 && two.message !== one.message ? [ordered(one, two)] : [];
    }),
  );

const told = (proven: readonly Tried[]): readonly Remedy[] => {
  const ofKind = new Map<string, number>();
  return [...proven]
    .sort((a, b) => compareAttempts(a.attempt, b.attempt))
    .filter(({ attempt }) => {
      const kind = attempt.map((change) => change.kind).join(' ');
      const before = ofKind.get(kind) ?? 0;
      ofKind.set(kind, before + 1);
      return before < mostOfKind;
    })
    .slice(0, mostRemedies)
    .map(remedyOf);
};

const placeText = ({ node, group }: Outcome): string => {
  if (node !== undefined && group === undefined) return `it fits the node ${node}`;
  return node === undefined
    ? `it runs on a new node of the group ${group}`
    : `it fits a node of the group ${group} that is on its way`;
};

const remedyOf = ({ attempt, look }: Tried): Remedy => {
  const [first, another] = attempt;
  const outcome = look.outcome ?? {};
  const notes = attempt.flatMap(({ note }) => note ?? []);
  return {
    kind: another === undefined ? first.kind : 'combination',
    ...(another === undefined ? {} : { changes: attempt.map(({ kind }) => kind) }),
    message: `${textOf(attempt)}: then ${placeText(outcome)}`,
    ...(notes.length === 0 ? {} : { note: [...new Set(notes)].join('; ') }),
    patch: attempt.map(({ patch }) => patch).join('\n---\n'),
    fitsOn: Math.max(1, countThatTake(look)),
    outcome,
  };
};
