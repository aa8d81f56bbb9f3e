import { describe, expect, it } from 'vitest';
import { type CrashReport, crashEverywhere, differencesOf } from '../../crash/crash-cases.ts';
import { faultKinds } from '../../crash/faults.ts';
import { tableOf } from '../../crash/table.ts';
import { type Bug, toyOperation } from './toy-operation.ts';

const crash = (bug: Bug): Promise<CrashReport> => crashEverywhere(toyOperation(bug));

/** `fault at call` */
const found = ({ cases }: CrashReport): readonly string[] =>
  cases
    .filter(({ differences }) => differences.length > 0)
    .map(({ call, fault }) => `${fault} at ${call}`);

describe('the crash harness', () => {
  it('finds the calls of an operation by itself, in order', async () => {
    const report = await crash('none');
    expect(report.calls).toEqual([
      'notes.intent 1',
      'account.size 1',
      'notes.write 1',
      'account.set 1',
      'people.tell 1',
      'notes.write 2',
    ]);
  });

  it('plays every fault at every call, but old answers at reads alone', async () => {
    const report = await crash('none');
    // Nobody else is called for the toy.
    const any = faultKinds.filter(
      ({ gives, another }) => gives === undefined && another === undefined,
    );
    for (const { name } of any) {
      expect(report.cases.filter(({ fault }) => fault === name)).toHaveLength(6);
    }
    const old = report.cases.filter(({ fault }) => fault === 'stale');
    expect(old.map(({ call }) => call)).toEqual(['account.size 1']);
    const consistent = ['account.size'];
    const fresh = await crashEverywhere(toyOperation('none'), { consistent });
    expect(fresh.cases.filter(({ fault }) => fault === 'stale')).toEqual([]);
  });

  it('plays in an arrangement the faults that it names, else those of its world', async () => {
    const toy = toyOperation('none');
    const faultsOf = ({ cases }: CrashReport) => new Set(cases.slice(1).map(({ fault }) => fault));
    const faults = ['cut before', 'killed after'];
    expect(faultsOf(await crashEverywhere(toy, { faults }))).toEqual(new Set(faults));
    const named = { ...toy, faults: ['throttled'] };
    expect(faultsOf(await crashEverywhere(named, { faults }))).toEqual(new Set(['throttled']));
  });

  it('has nothing to say of an operation that is right', async () => {
    expect(found(await crash('none'))).toEqual([]);
  });

  it('finds a relative raise whose answer was lost', async () => {
    const report = await crash('relative raise');
    expect(found(report)).toContain('timeout after at account.add 1');
    expect(found(report)).toContain('killed after at account.add 1');
    const lost = report.cases.find(({ differences }) => differences.length > 0);
    expect(lost?.differences).toEqual(['size: 6 instead of 3']);
  });

  it('finds an act before its intent', async () => {
    expect(found(await crash('act before intent'))).toContain('killed after at account.set 1');
  });

  it('finds an intent that nobody closes', async () => {
    const settled = { open: false };
    const report = await crashEverywhere(toyOperation('intent left open'), { settled });
    expect(found(report)).toContain('none at none');
    expect(found(await crashEverywhere(toyOperation('none'), { settled }))).toEqual([]);
  });

  it('finds what only a sweep has done', async () => {
    const toy = toyOperation('none');
    const late: typeof toy = {
      ...toy,
      stage: async () => {
        const stage = await toy.stage();
        return { ...stage, first: stage.sweep, sweep: stage.first };
      },
    };
    const report = await crashEverywhere(late, { prompt: ['size', 'told'] });
    expect(report.cases[0]?.differences).toEqual([
      'before any sweep, size: 0 instead of 3',
      'before any sweep, told: false instead of true',
    ]);
  });

  it('finds a failure that is swallowed', async () => {
    expect(found(await crash('swallowed failure'))).toContain('throttled at account.set 1');
  });

  it('finds what only the sweep makes good, though the message might have come back', async () => {
    const toy = toyOperation('swallowed failure');
    const swept: typeof toy = {
      ...toy,
      stage: async () => {
        const stage = await toy.stage();
        return { ...stage, sweep: stage.first };
      },
    };
    expect(found(await crashEverywhere(swept))).not.toContain('throttled at account.set 1');
    const report = await crashEverywhere(swept, { promptAfterFaults: ['size'] });
    expect(found(report)).toContain('throttled at account.set 1');
    const waits = { promptAfterFaults: ['size'], mayWait: ['account.set'] };
    expect(found(await crashEverywhere(swept, waits))).not.toContain('throttled at account.set 1');
  });

  it('finds what is wrong in every run by the figures of the arrangement', async () => {
    const toy = { ...toyOperation('none'), settled: { size: 4 }, early: { told: false } };
    const report = await crashEverywhere(toy);
    expect(report.cases[0]?.differences).toEqual([
      'size: 3 instead of 4',
      'before any sweep, told: true instead of false',
    ]);
  });

  it('says which part of the state differs, and how', () => {
    expect(differencesOf({ size: 3, told: true }, { size: 6, told: true })).toEqual([
      'size: 6 instead of 3',
    ]);
    expect(differencesOf({ size: 3 }, { size: 3, more: [] })).toEqual([
      'more: [] instead of undefined',
    ]);
  });
});

describe('its table', () => {
  it('fits 80 columns, and names call, fault, runs and what differs', async () => {
    const lines = tableOf(await crash('relative raise'));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines).toContain('    size: 6 instead of 3');
    expect(lines.join('\n')).toMatch(/^account\.add 1 +cut after.* +2 +DIFFERS$/m);
  });
});
