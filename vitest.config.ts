import { defineConfig } from 'vitest/config';

/** Two projects: `fast` needs nothing but Node; `e2e` needs the test bed (test/testbed). */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
          env: { CDK_VALIDATION: 'false' },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 1_800_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
