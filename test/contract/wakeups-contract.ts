import { describe, expect, it } from 'vitest';
import type { Wakeup, Wakeups } from '#ports/wakeups.ts';

export interface WakeupsAdapter {
  readonly wakeups: Wakeups;
  /** Those whose time has come after so many seconds, each without its delay, in any order. */
  due(afterSeconds: number): Promise<readonly Omit<Wakeup, 'afterSeconds'>[]>;
}

/** What every Wakeups does. */
export function describeWakeupsContract(
  name: string,
  makeAdapter: () => WakeupsAdapter | Promise<WakeupsAdapter>,
): void {
  describe(`Wakeups: ${name}`, () => {
    const namesOf = (wakeups: readonly { readonly cluster: string }[]) =>
      wakeups.map(({ cluster }) => cluster).toSorted();

    it('delivers each with its reason and step', async () => {
      const { wakeups, due } = await makeAdapter();
      await wakeups.send([
        { cluster: 'a', afterSeconds: 0, because: 'marked', step: 1 },
        { cluster: 'b', afterSeconds: 0, because: 'unfinished', step: 7 },
      ]);
      const got = (await due(0)).toSorted((x, y) => (x.cluster < y.cluster ? -1 : 1));
      expect(got).toEqual([
        { cluster: 'a', because: 'marked', step: 1 },
        { cluster: 'b', because: 'unfinished', step: 7 },
      ]);
    });

    it('takes more than one batch at once, and none at all', async () => {
      const { wakeups, due } = await makeAdapter();
      await wakeups.send([]);
      const names = Array.from({ length: 25 }, (_, index) => `c-${index}`);
      await wakeups.send(
        names.map((cluster) => ({ cluster, afterSeconds: 0, because: 'sweep', step: 1 })),
      );
      expect(namesOf(await due(0))).toEqual(names.toSorted());
    });

    it('holds one back until its time', async () => {
      const { wakeups, due } = await makeAdapter();
      await wakeups.send([
        { cluster: 'later', afterSeconds: 2, because: 'marked', step: 1 },
        { cluster: 'now', afterSeconds: 0, because: 'sweep', step: 1 },
      ]);
      expect(namesOf(await due(0))).toEqual(['now']);
      expect(namesOf(await due(2))).toEqual(['later']);
    });
  });
}
