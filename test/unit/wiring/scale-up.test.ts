import { expect, it, vi } from 'vitest';
import { metricsNamespace } from '#config/metrics.ts';
import { buildScaleUp } from '#wiring/scale-up.ts';

it('counts a look that came to no end of its own by the metric that the alarm of the cluster watches', () => {
  const lines: unknown[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(JSON.parse(String(line)));
    return true;
  });
  try {
    const environment = {
      table: 'table',
      decisionsBucket: 'decisions',
      configurationBucket: 'configuration',
      configurationKey: 'key',
      network: 'default',
      deadLetterQueueUrl: 'https://sqs.example/dead',
      queueUrl: 'https://sqs.example/queue',
      pagesTopicArn: 'arn:aws:sns:eu-central-1:123456789012:pages',
      engineVersion: '1',
    };
    buildScaleUp(environment).lookFailed('alpha');
  } finally {
    write.mockRestore();
  }
  const directive = {
    Namespace: metricsNamespace,
    Dimensions: [['cluster']],
    Metrics: [{ Name: 'LooksFailed', Unit: 'Count' }],
  };
  expect(lines).toMatchObject([
    { cluster: 'alpha', LooksFailed: 1, _aws: { CloudWatchMetrics: [directive] } },
  ]);
});
