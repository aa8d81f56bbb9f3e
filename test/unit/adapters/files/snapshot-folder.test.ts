import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { snapshotFolders } from '#adapters/files/snapshot-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'snapshots-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('a folder for a snapshot', () => {
  it('is there as a whole after commit, readable by its owner alone', async () => {
    const place = join(folder, 'shop');
    const snapshot = await snapshotFolders.create(place);
    await snapshot.append('pods.json', { items: [1] });
    await snapshot.append('pods.json', { items: [2] });
    await snapshot.append('outrider.yaml', 'clusters: []');
    expect(existsSync(place)).toBe(false);
    await snapshot.commit();
    await snapshot.discard();
    expect(readdirSync(place).sort()).toEqual(['outrider.yaml', 'pods.json']);
    expect(readFileSync(join(place, 'pods.json'), 'utf8')).toBe('{"items":[1]}\n{"items":[2]}\n');
    expect([modeOf(place), modeOf(join(place, 'pods.json'))]).toEqual([0o700, 0o600]);
    expect(readdirSync(folder)).toEqual(['shop']);
  });

  it('leaves nothing behind when it is discarded', async () => {
    const place = join(folder, 'gone');
    const snapshot = await snapshotFolders.create(place);
    await snapshot.append('pods.json', {});
    await snapshot.discard();
    expect(readdirSync(folder).filter((name) => name.includes('gone'))).toEqual([]);
  });

  it('is refused where something is there already, before it is written and after', async () => {
    const place = join(folder, 'taken');
    const snapshot = await snapshotFolders.create(place);
    mkdirSync(place);
    const refusal = {
      code: 'invalid',
      message: `${place} is there already: name a folder that is not`,
    };
    await expect(snapshot.commit()).rejects.toMatchObject(refusal);
    await snapshot.discard();
    expect(readdirSync(place)).toEqual([]);
    await expect(snapshotFolders.create(place)).rejects.toMatchObject(refusal);
  });

  it('says where it cannot be written', async () => {
    const place = join(folder, 'not', 'there');
    await expect(snapshotFolders.create(place)).rejects.toMatchObject({
      code: 'invalid',
      message: `${place} cannot be written: the folder that it is to be in does not exist; name another place`,
    });
    writeFileSync(join(folder, 'file'), '');
    await expect(snapshotFolders.create(join(folder, 'file', 'in'))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/cannot be written: what it is to be in is no folder; name/),
    });
  });
});
