import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/*
 * Import it for its effect: all that a test file, the CDK and other processes put into the temporary folder meanwhile
 * is gone when the file has ended.
 */

const folder = mkdtempSync(join(tmpdir(), 'outrider-tests-'));
process.env.TMPDIR = folder;
// Registered first, it runs last.
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
