import { formatAmount } from '#cluster/format-amount.ts';
import { amountIn, isBytes, type Resources } from '#cluster/resources.ts';
import type { PodView } from '#cluster/snapshot.ts';
import type { InstanceType } from '../../aws-views.ts';
import { changeGroup, changePods, groupPatch, podPatch } from '../change-input.ts';
import type { Change } from '../explanation.ts';
import { beyondRepair, type Fault, type Fixer } from '../fault.ts';
import type { Look } from '../look.ts';
import type { Site } from '../sites.ts';
import { tagGroup } from './node-labels.ts';

const MiB = 1024 ** 2;

/** To ask for nothing changes more than to ask for less. */
const dropSize = 1000;

/** Permille of what is requested. */
const wholeSize = 1000;

/** A program that is given less than a quarter of what it asks for is another program. */
const mostLess = 750;

const sizeOfLess = (amount: number, before: number): number => {
  const less = Math.floor((1 - amount / before) * wholeSize);
  return less > mostLess ? dropSize + less : less;
};

/** What fits, in steps that people write: whole MiB where there is one at least. */
const rounded = (resource: string, amount: number): number =>
  isBytes(resource) && amount >= MiB ? Math.floor(amount / MiB) * MiB : amount;

const quantityOf = (resource: string, amount: number): string =>
  isBytes(resource) && amount >= MiB
    ? `${Math.floor(amount / MiB)}Mi`
    : resource === 'cpu' && amount % 1000 !== 0
      ? `${amount}m`
      : formatAmount(resource, amount);

const withRequest = (pod: PodView, resource: string, amount: number): PodView => {
  const requests: Resources = Object.fromEntries(
    Object.entries(pod.requests).flatMap(([name, before]) => {
      if (name !== resource) return [[name, before] as const];
      return amount > 0 ? [[name, Math.min(before, amount)] as const] : [];
    }),
  );
  return { ...pod, requests };
};

const lower = ({ pod }: Look, resource: string, { name, group }: Site, amount: number): Change => {
  const before = amountIn(pod.requests, resource);
  const whose = group === undefined ? '' : ` (the most that a new node of ${name} takes)`;
  return {
    kind: 'request',
    message: `request ${quantityOf(resource, amount)} of ${resource} instead of ${quantityOf(resource, before)}${whose}`,
    note: 'what all its containers request together',
    patch: podPatch(pod, {
      containers: [{ resources: { requests: { [resource]: quantityOf(resource, amount) } } }],
    }),
    size: sizeOfLess(amount, before),
    slot: `request ${resource} ${group === undefined ? 'of a node' : name}`,
    apply: (input) => changePods(input, pod, (one) => withRequest(one, resource, amount)),
  };
};

const drop = ({ pod }: Look, resource: string): Change => ({
  kind: 'request',
  message: `request no ${resource}`,
  patch: podPatch(pod, { containers: [{ resources: { requests: { [resource]: null } } }] }),
  size: dropSize,
  apply: (input) => changePods(input, pod, (one) => withRequest(one, resource, 0)),
});

/** Neither a node nor a template offers it. */
const isUntold = (resource: string, { input, context }: Look): boolean =>
  !input.snapshot.nodes.some(({ allocatable }) => amountIn(allocatable, resource) > 0) &&
  !context.groups.some(({ probed }) =>
    probed.some(({ template }) => amountIn(template.node.allocatable, resource) > 0),
  );

const isExtended = (resource: string): boolean => resource.includes('/');

const mends = (site: Site, look: Look, resource: string): readonly Change[] => {
  const asked = amountIn(look.pod.requests, resource);
  const offered = rounded(resource, site.free(resource));
  if (offered > 0) return [lower(look, resource, site, offered)];
  if (!isExtended(resource)) return [];
  const value = String(asked);
  const untold = site.group !== undefined && isUntold(resource, look);
  return [
    ...(untold ? [tagGroup(site, { kind: 'resource', key: resource, value })] : []),
    drop(look, resource),
  ];
};

const isLarger = (type: InstanceType, { requests }: PodView): boolean =>
  type.vcpu * 1000 > amountIn(requests, 'cpu') &&
  type.memoryMiB * MiB > amountIn(requests, 'memory');

/** The smallest type known that is larger than what the pod requests. */
const largerType = ({ group: state }: Site, { pod, input }: Look): InstanceType | undefined => {
  const { instanceTypes } = input.nodeGroups;
  const own = new Set(state?.templates.templates.map(({ instanceType }) => instanceType));
  const architectures = new Set(
    instanceTypes.filter(({ name }) => own.has(name)).map(({ architecture }) => architecture),
  );
  return instanceTypes
    .filter(
      (type) => !own.has(type.name) && architectures.has(type.architecture) && isLarger(type, pod),
    )
    .sort(
      (a, b) =>
        a.vcpu - b.vcpu ||
        a.memoryMiB - b.memoryMiB ||
        Number(a.name > b.name) - Number(a.name < b.name),
    )[0];
};

const launchLarger = (site: Site, look: Look): readonly Change[] => {
  const type = largerType(site, look);
  if (site.group === undefined || type === undefined) return [];
  const { name } = site;
  return [
    {
      kind: 'instanceType',
      message: `let the group ${name} launch ${type.name}`,
      patch: groupPatch(`${name}: its launch template`, { InstanceType: type.name }),
      size: type.vcpu,
      apply: (input) =>
        changeGroup(input, name, (group) => [
          { ...group, overrides: [{ instanceType: type.name, byAttributes: false }] },
        ]),
    },
  ];
};

/** Each request that is larger than what is left there: the most that fits, or a larger type. */
export const fixRequests: Fixer = (site, look) => {
  const { requests } = look.pod;
  const lacking = Object.keys(requests)
    .sort()
    .filter((resource) => amountIn(requests, resource) > site.free(resource));
  if (lacking.length === 0) return beyondRepair;
  const larger = lacking.some(isExtended) ? [] : launchLarger(site, look);
  return lacking.map((resource): Fault => ({ fixes: [...mends(site, look, resource), ...larger] }));
};
