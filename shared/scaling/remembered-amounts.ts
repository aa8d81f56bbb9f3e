import { compareText } from '#cluster/order.ts';
import { getOwn, setOwn } from '#cluster/own-record.ts';
import { amountIn, type Resources } from '#cluster/resources.ts';
import type { LaunchTemplateRef, LaunchTemplateVersion } from './aws-views.ts';
import type { Learned } from './learned.ts';
import type { Boot, LedgerEntry, RememberedAmounts } from './ledger.ts';
import { extendedResourcesOf } from './usable.ts';

/** How a machine comes up, as far as it decides what its kubelet reports; `undefined` where no image is named. */
export const bootOf = ({
  imageId,
  userDataHash,
}: Pick<LaunchTemplateVersion, 'imageId' | 'userDataHash'>): Boot | undefined =>
  imageId === undefined
    ? undefined
    : { image: imageId, ...(userDataHash === undefined ? {} : { userData: userDataHash }) };

/** The same of an instance, by the version of the launch template that it was launched from. */
export const bootOfInstance = (
  ref: LaunchTemplateRef | undefined,
  versions: readonly LaunchTemplateVersion[],
): Boot | undefined => {
  if (ref === undefined) return undefined;
  const version = versions.find(
    (one) =>
      String(one.version) === ref.version &&
      (ref.id === undefined ? one.name === ref.name : one.id === ref.id),
  );
  return version === undefined ? undefined : bootOf(version);
};

/** Whether both are known and machines come up from the same. */
export const sameBoot = (a: Boot | undefined, b: Boot | undefined): boolean =>
  a !== undefined && b !== undefined && a.image === b.image && a.userData === b.userData;

/**
 * What is remembered of machines of the type that come up so: of the group itself, else of the first group by name
 * that has seen one.
 */
export const rememberedAmounts = (
  ledger: readonly LedgerEntry[],
  group: string,
  { type, boot }: { readonly type: string; readonly boot: Boot | undefined },
): RememberedAmounts | undefined =>
  boot === undefined
    ? undefined
    : [...ledger]
        .sort(
          (a, b) =>
            Number(b.group === group) - Number(a.group === group) || compareText(a.group, b.group),
        )
        .map(({ learned }) => getOwn(learned ?? {}, type))
        .find((known) => known !== undefined && sameBoot(known, boot));

/**
 * What to remember of a usable node: what its kubelet reports of the machine. Its devices are left out, which a plugin
 * brings that may be gone by the time of the next node.
 */
export const amountsToRemember = (learned: Learned, boot: Boot): RememberedAmounts => ({
  ...boot,
  capacity: withoutDevices(learned.capacity),
  allocatable: withoutDevices(learned.allocatable),
  from: learned.from,
});

const withoutDevices = (amounts: Resources): Resources => {
  const devices = new Set(extendedResourcesOf(amounts));
  const own: Record<string, number> = {};
  for (const name of Object.keys(amounts).sort()) {
    if (!devices.has(name)) setOwn(own, name, amountIn(amounts, name));
  }
  return own;
};

/** Nodes of one kind differ by some pages of memory; so much more is no news. */
const noNewsPerMille = 10;

/**
 * The memory after this look: what was seen, of each type, over what was known. Of a machine that comes up as the one
 * known it changes only where less is seen, or clearly more; `before` itself where nothing changes.
 */
export const remember = (
  before: LedgerEntry['learned'],
  seen: ReadonlyMap<string, RememberedAmounts>,
): LedgerEntry['learned'] => {
  const fresh = [...seen].filter(([type, amounts]) => isNews(getOwn(before ?? {}, type), amounts));
  if (fresh.length === 0) return before;
  const after: Record<string, RememberedAmounts> = {};
  for (const [type, amounts] of [...Object.entries(before ?? {}), ...fresh].sort(([a], [b]) =>
    compareText(a, b),
  )) {
    setOwn(after, type, amounts);
  }
  return after;
};

const isNews = (known: RememberedAmounts | undefined, seen: RememberedAmounts): boolean => {
  if (known === undefined || !sameBoot(known, seen)) return true;
  const names = new Set([...Object.keys(known.allocatable), ...Object.keys(seen.allocatable)]);
  return [...names].some((name) => {
    const [was, is] = [amountIn(known.allocatable, name), amountIn(seen.allocatable, name)];
    return is < was || is - was > (was * noNewsPerMille) / 1000;
  });
};
