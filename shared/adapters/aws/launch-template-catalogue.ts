import type { EC2Client } from '@aws-sdk/client-ec2';
import { setNewest } from '#cluster/newest.ts';
import type { LaunchTemplateRef, LaunchTemplateVersion } from '#scaling/aws-views.ts';
import {
  describeLaunchTemplates,
  type TemplateRequest,
  type TemplatesFound,
} from './ec2-launch-templates.ts';

export interface LaunchTemplateCatalogue {
  find(requests: readonly TemplateRequest[]): Promise<TemplatesFound>;
}

/** `$Latest`, `$Default` and templates known by name alone, which may be another one's tomorrow. */
const movingKeptMs = 60_000;

const mostKept = 5_000;

interface Kept {
  readonly version: LaunchTemplateVersion;
  readonly untilMs: number;
}

/**
 * Launch template versions of one account and region. A numbered version never changes and is asked for once;
 * `$Latest` and `$Default` are asked for again after a minute, what was missing each time. A version counts
 * as the default only where it was found as `$Default`, since a numbered one may have ceased to be.
 */
export function launchTemplateCatalogue(
  client: EC2Client,
  nowMs: () => number = Date.now,
): LaunchTemplateCatalogue {
  const kept = new Map<string, Kept>();

  const ask = async (requests: readonly TemplateRequest[], now: number) => {
    const answer = await describeLaunchTemplates(client, requests);
    for (const { template } of requests) {
      const version = versionOf(template, answer.versions);
      if (version === undefined) continue;
      const untilMs = isFixed(template) ? Infinity : now + movingKeptMs;
      setNewest(kept, [keyOf(template), { version, untilMs }], mostKept);
      if (template.version === '$Latest') forgetNewer(kept, version);
    }
    return answer.problems;
  };

  return {
    async find(requests) {
      const now = nowMs();
      const isUnknown = ({ template }: TemplateRequest): boolean =>
        (kept.get(keyOf(template))?.untilMs ?? 0) <= now;
      const unknown = requests.filter(isUnknown);
      const problems = await ask(unknown, now);
      const forgotten = requests.filter((each) => isUnknown(each) && !unknown.includes(each));
      const more = await ask(forgotten, now);
      const versions = requests.flatMap(({ template }) => {
        const entry = kept.get(keyOf(template));
        if (entry === undefined || entry.untilMs <= now) return [];
        return { ...entry.version, isDefault: template.version === '$Default' };
      });
      return { versions: eachOnce(versions), problems: [...problems, ...more] };
    },
  };
}

const keyOf = ({ id, name, version }: LaunchTemplateRef): string =>
  `${id === undefined ? `name ${name}` : `id ${id}`} ${version}`;

const isFixed = ({ id, version }: LaunchTemplateRef): boolean =>
  id !== undefined && !version.startsWith('$');

/** The one asked for among the versions that one answer gave of its template. */
function versionOf(
  { id, name, version }: LaunchTemplateRef,
  answered: readonly LaunchTemplateVersion[],
): LaunchTemplateVersion | undefined {
  const own = answered.filter((each) => (id === undefined ? each.name === name : each.id === id));
  if (version === '$Latest') return own.toSorted((a, b) => b.version - a.version)[0];
  return own.find((each) =>
    version === '$Default' ? each.isDefault : String(each.version) === version,
  );
}

/** Numbers above the newest one have been deleted: kept, they would be taken for the newest. */
function forgetNewer(kept: Map<string, Kept>, latest: LaunchTemplateVersion): void {
  for (const [key, { version }] of kept) {
    if (version.id === latest.id && version.version > latest.version) kept.delete(key);
  }
}

/** By id and number; the default where it was asked for as that. */
function eachOnce(versions: readonly LaunchTemplateVersion[]): readonly LaunchTemplateVersion[] {
  const once = new Map<string, LaunchTemplateVersion>();
  for (const version of versions) {
    const key = `${version.id}/${version.version}`;
    if (version.isDefault || !once.has(key)) once.set(key, version);
  }
  return [...once.values()].toSorted((a, b) =>
    a.id === b.id ? a.version - b.version : a.id < b.id ? -1 : 1,
  );
}
