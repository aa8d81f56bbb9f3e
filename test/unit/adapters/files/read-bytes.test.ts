import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readBytes } from '#adapters/files/read-bytes.ts';

const folder = mkdtempSync(join(tmpdir(), 'bytes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const pipeNamed = (name: string): string => {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
};

const shell = (script: string) => spawn('sh', ['-c', script], { stdio: 'ignore' });

describe('the bytes of a named file', () => {
  it('are all of it, up to the bound', async () => {
    const content = Buffer.alloc(300_000, 'abc');
    const path = fileOf('long', content);
    expect((await readBytes(path, { mostBytes: 300_000 })).equals(content)).toBe(true);
    await expect(readBytes(path, { mostBytes: 299_999 })).rejects.toMatchObject({
      code: 'invalid',
      message: `${path} is larger than 299999 bytes: name a smaller file, or several in a folder`,
    });
  });

  it('are none of an empty file', async () => {
    expect(await readBytes(fileOf('empty', ''), { mostBytes: 10 })).toHaveLength(0);
  });

  it('are not asked of a device, which has no end', async () => {
    for (const device of ['/dev/zero', '/dev/null']) {
      await expect(readBytes(device, { mostBytes: 10 })).rejects.toMatchObject({
        code: 'invalid',
        message: `${device} is a device, which has no end: name a file`,
      });
    }
  });

  it('are not asked of a folder, nor found where there is nothing', async () => {
    await expect(readBytes(folder, { mostBytes: 10 })).rejects.toMatchObject({
      code: 'invalid',
      message: `${folder} is a folder: name a file in it`,
    });
    const nothing = join(folder, 'nothing');
    await expect(readBytes(nothing, { mostBytes: 10 })).rejects.toMatchObject({ code: 'notFound' });
  });
});

describe('the bytes of a pipe', () => {
  it('are waited for while somebody has it open', async () => {
    const path = pipeNamed('slow');
    shell(`{ printf one; sleep 0.3; head -c 200000 /dev/zero; } > '${path}'`);
    const bytes = await readBytes(path, { mostBytes: 200_003, nobodyMs: 30_000 });
    expect(bytes).toHaveLength(200_003);
    expect(bytes.toString('utf8', 0, 3)).toBe('one');
  });

  it('end at the bound', async () => {
    const path = pipeNamed('endless');
    const writer = shell(`cat /dev/zero > '${path}'`);
    await expect(readBytes(path, { mostBytes: 100_000 })).rejects.toThrow('larger than 100000');
    writer.kill();
  });

  it('are given up where nobody writes, and where a writer stays silent', async () => {
    const lonely = pipeNamed('lonely');
    const said = 'is a pipe that nobody writes to: name a file';
    await expect(readBytes(lonely, { mostBytes: 10, nobodyMs: 60 })).rejects.toThrow(said);
    const silent = pipeNamed('silent');
    const writer = shell(`exec sleep 60 > '${silent}'`);
    const bounds = { mostBytes: 10, nobodyMs: 30_000, silenceMs: 60 };
    await expect(readBytes(silent, bounds)).rejects.toThrow(said);
    writer.kill();
  });
});
