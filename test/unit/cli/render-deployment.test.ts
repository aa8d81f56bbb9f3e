import { describe, expect, it } from 'vitest';
import type { LetterLine } from '#operations/dead-letters.ts';
import type { JournalledDecision } from '#operations/read-journal.ts';
import type { ClusterStatus } from '#operations/status.ts';
import type { LookNow } from '#wiring/look-now.ts';
import { renderJournalled } from '../../../cli/render/decision.ts';
import { renderReport } from '../../../cli/render/doctor.ts';
import { renderLetters } from '../../../cli/render/letters.ts';
import { renderLook } from '../../../cli/render/look.ts';
import { ageText } from '../../../cli/render/section.ts';
import { renderStatus } from '../../../cli/render/status.ts';
import { styleOf } from '../../../cli/render/style.ts';

const nowMs = Date.UTC(2026, 7, 21, 10);
const piped = styleOf({}, { noColor: false });
const terminal = styleOf({ isTTY: true, columns: 80 }, { noColor: false });
const plainTerminal = styleOf({ isTTY: true, columns: 80 }, { noColor: true });
const long = 'a-group-whose-name-somebody-made-far-too-long-for-any-terminal-to-show-in-one-line';
const hostile = `the \u001b[31mred\u0007 message ${long} says ${'word '.repeat(30)}`;

const status: ClusterStatus = {
  cluster: 'shop',
  mode: 'act',
  nodes: { ready: 3, coming: null, draining: 0, cordoned: 1 },
  pendingPods: 12,
  work: [
    {
      kind: 'raise',
      group: long,
      since: '2026-08-21T09:58:00Z',
      from: 1,
      to: 4,
      decision: 'shop/scale-up/17',
    },
    { kind: 'launch', group: 'workers-b', since: '2026-08-21T09:59:00Z' },
    {
      kind: 'start',
      group: 'workers-b',
      since: '2026-08-21T09:59:30Z',
      instance: 'i-0123456789abcdef0',
    },
  ],
  breakers: [],
  backOffs: [
    {
      group: long,
      over: false,
      failures: 2,
      since: '2026-08-21T09:50:00Z',
      until: '2026-08-21T10:10:00Z',
      code: 'InsufficientInstanceCapacity',
      message: hostile,
    },
  ],
  lease: { holder: 'b7c1', until: '2026-08-21T10:01:00Z', marks: 2 },
  decisions: [
    {
      id: 'shop/scale-up/17',
      at: '2026-08-21T09:58:00Z',
      mode: 'act',
      trigger: 'pod-pending',
      engineVersion: '0.1.0',
      said: hostile,
    },
  ],
  unreachable: [{ what: 'Auto Scaling groups', code: 'throttled', message: hostile }],
};

const decision: JournalledDecision = {
  id: 'shop/scale-up/17',
  at: '2026-08-21T09:58:00Z',
  mode: 'act',
  trigger: 'pod-pending',
  engineVersion: '0.1.0',
  said: 'x',
  cluster: 'shop',
  problems: [{ code: 'x', message: hostile }],
  decision: {
    scaleUps: [{ group: long, from: 1, to: 4, pods: ['a/b', 'c/d'], reason: hostile }],
    takeBacks: [{ group: 'workers-b', from: 4, to: 2, reason: 'AWS has no capacity' }],
    fits: [],
    stuck: [{ pod: 'a/stuck', reasons: [{ group: 'workers-b', code: 'x', message: hostile }] }],
    ignored: [],
    blockedGroups: [{ group: 'gpu', code: 'x', message: hostile }],
    alerts: [
      { kind: 'k', subject: 'pod a/b', sinceMs: 0, summary: 'launches do not help', text: 't' },
    ],
    problems: [],
  },
};

const letters: readonly LetterLine[] = [
  {
    id: '9d4c1c51-8b0c-4a8c-9a9e-0f6f3f0a0001',
    network: 'main',
    code: 'schema',
    message: hostile,
    sentAt: '2026-08-21T08:00:00Z',
    ageSeconds: 7200,
    receives: 1,
    body: hostile,
  },
];

const report = {
  stack: 'Outrider',
  region: 'eu-central-1',
  checks: [
    { check: 'stack', subject: 'stack Outrider', result: 'ok', message: 'is UPDATE_COMPLETE' },
    {
      check: 'protection',
      subject: `group ${long}`,
      result: 'warn',
      message: hostile,
      remedy: `aws autoscaling ${long}`,
    },
    { check: 'rights', subject: 'cluster shop', result: 'fail', message: 'lacks', remedy: 'mend' },
  ],
  summary: { ok: 1, warn: 1, fail: 1 },
} as const;

const look = {
  cluster: 'shop',
  mode: 'act',
  outcome: { cluster: 'shop', status: 'done', raised: 3, groups: [] },
  decision,
} as const;

const wordOnly = /^\s*(- )?\S+( \\)?$/;

const outputs = (style: typeof piped): readonly (readonly [string, string])[] => [
  ['status', renderStatus(status, nowMs, style)],
  ['a decision', renderJournalled(decision, style)],
  ['dead letters', renderLetters(letters, style)],
  ['a report', renderReport(report, style)],
  ['a look', renderLook(look, nowMs, style)],
  ['a look that changed nothing', renderLook({ ...look, unchanged: true }, nowMs, style)],
];

describe('what commands print of a deployment', () => {
  it.each(outputs(piped))('fits 80 columns through a pipe, without escape codes: %s', (_, text) => {
    // A word that is longer than a line has one to itself, whole, since people copy it.
    const wide = text.split('\n').filter((line) => [...line].length > 80);
    expect(wide.filter((line) => !wordOnly.test(line))).toEqual([]);
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\u0007');
    expect(text.endsWith('\n')).toBe(true);
    expect(text).not.toMatch(/[ \t]\n/);
  });

  it.each(outputs(plainTerminal))('has no escape codes where NO_COLOR is set: %s', (_, text) => {
    expect(text).not.toContain('\u001b');
  });

  it('has colours on a terminal', () => {
    expect(renderReport(report, terminal)).toContain('\u001b[31mFAIL\u001b[39m');
  });
});

describe('the status', () => {
  it('says what is unknown, who holds the lease and what is under way', () => {
    const text = renderStatus(status, nowMs, piped);
    expect(text).toContain('nodes  3 ready, ? coming, 0 draining, 1 cordoned, 12 Pending pods');
    expect(text).toContain('lease  held by b7c1 until 2026-08-21T10:01:00Z, 2 marks');
    expect(text).toMatch(/raising .* 1 -> 4 +2 min/);
    expect(text).toMatch(/starting +workers-b +i-0123456789abcdef0 +30 s/);
    expect(text).toContain('until 2026-08-21T10:10:00Z; 2 failures');
    expect(text).toContain('not reached: Auto Scaling groups');
  });

  it('is short where there is nothing to say', () => {
    const quiet = {
      ...status,
      work: [],
      backOffs: [],
      decisions: [],
      unreachable: [],
      lease: { marks: 0 },
      nodes: { ready: 3, coming: 0, draining: 0, cordoned: 0 },
      pendingPods: 0,
    };
    expect(renderStatus(quiet, nowMs, piped)).toBe(
      'shop: act\n  nodes  3 ready, 0 coming, 0 draining, 0 cordoned, 0 Pending pods\n  look   none is known\n  lease  free\n',
    );
  });

  it.each([
    ['done', 'look   2 min ago (2026-08-21T09:58:00Z)\n'],
    ['failed', 'look   2 min ago (2026-08-21T09:58:00Z), failed\n'],
    ['running', 'look   2 min ago (2026-08-21T09:58:00Z), still at it\n'],
  ] as const)('says when the last look was, and that it is %s', (result, line) => {
    const lastLook = { at: '2026-08-21T09:58:00Z', result };
    expect(renderStatus({ ...status, lastLook }, nowMs, piped)).toContain(line);
  });

  it('counts one pod as one', () => {
    expect(renderStatus({ ...status, pendingPods: 1 }, nowMs, piped)).toMatch(/1 Pending pod$/m);
  });

  it('says that a holder died', () => {
    const lease = {
      holder: 'b7c1',
      until: '2026-08-21T09:00:00Z',
      expired: true,
      marks: 0,
    } as const;
    expect(renderStatus({ ...status, lease }, nowMs, piped)).toContain(
      'lease  b7c1 held it until 2026-08-21T09:00:00Z and died',
    );
  });
});

describe('a journalled decision', () => {
  it('has raises, what is taken back, alerts, blocked groups and what was left out', () => {
    const text = renderJournalled(decision, piped);
    expect(text).toMatch(/^shop\/scale-up\/17 at 2026-08-21T09:58:00Z: because of pod-pending/);
    expect(text).toContain('workers-b 4 -> 2, taken back: AWS has no capacity');
    expect(text).toContain('pod a/b: launches do not help');
    for (const title of ['Alerts', 'Groups that cannot be used', 'Left out']) {
      expect(text).toContain(`\n${title}\n`);
    }
  });

  it('counts one pod as one', () => {
    const fits = [{ pod: 'a/b', node: 'n' }];
    const one = { ...decision, decision: { ...decision.decision, fits } };
    expect(renderJournalled(one, piped)).toContain('1 pod fits,');
    expect(renderJournalled(decision, piped)).toContain('0 pods fit,');
  });

  it('of an older version has neither alerts nor what was taken back', () => {
    const { alerts, takeBacks, ...older } = decision.decision;
    expect(alerts.length + takeBacks.length).toBe(2);
    const text = renderJournalled(
      { ...decision, decision: older as typeof decision.decision },
      piped,
    );
    expect(text).not.toContain('Alerts');
  });
});

describe('a look from a command', () => {
  const saying = (outcome: Partial<LookNow['outcome']>, mode = 'act') =>
    renderLook(
      { cluster: 'shop', mode, outcome: { ...look.outcome, ...outcome } } as never,
      nowMs,
      piped,
    )
      .replace(/\s+/g, ' ')
      .trim();

  it.each([
    [saying({ status: 'marked' }), /somebody else looks at it now and will look again/],
    [saying({ status: 'held' }), /somebody else holds its lease; give the command again/],
    [saying({ status: 'done' }), /^shop: looked at; 3 nodes asked for$/],
    [saying({ status: 'done', raised: 1 }), /^shop: looked at; 1 node asked for$/],
    [saying({ status: 'done', raised: 0 }), /^shop: looked at; no nodes asked for$/],
    [saying({ status: 'done' }, 'observe'), /mode observe: nothing is raised/],
    [
      saying({
        status: 'failed',
        error: { code: 'timeout', message: 'no answer', retryable: true },
      }),
      /the look failed: no answer/,
    ],
  ])('says what became of it: %s', (text, said) => {
    expect(text).toMatch(said);
  });
});

describe('a look that came to the same as the one before', () => {
  it('says that the decision is an older one, and how old', () => {
    const text = renderLook({ ...look, unchanged: true }, nowMs, piped).replace(/\s+/g, ' ');
    expect(text).toContain(
      'nothing has changed since the decision of 2026-08-21T09:58:00Z, 2 min ago, which stands: shop/scale-up/17 at',
    );
    expect(renderLook(look, nowMs, piped)).not.toContain('nothing has changed');
  });
});

describe('what people copy', () => {
  const topic = `arn:aws:sns:eu-central-1:123456789012:${'topic'.repeat(12)}`;
  const remedy = `aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint ADDRESS`;
  const reportOf = (said: string) =>
    renderReport(
      { ...report, checks: [{ ...report.checks[1], message: 'm', remedy: said }] },
      piped,
    );

  it('is a command that a shell takes as it is printed', () => {
    const [, command = ''] = reportOf(remedy).split('-> ');
    const pasted = command.slice(0, command.indexOf('\n\n')).replace(/ \\\n\s+/g, ' ');
    expect(pasted).toBe(remedy);
  });

  it('is no word broken over two lines', () => {
    expect(reportOf(`see the topic ${topic} of yours`).split(/\s+/)).toContain(topic);
  });
});

describe('an age', () => {
  it.each([
    [-5, '0 s'],
    [59, '59 s'],
    [60, '1 min'],
    [7199, '1 h'],
    [200_000, '2 d'],
  ])('of %i seconds is %s', (seconds, text) => {
    expect(ageText(seconds)).toBe(text);
  });
});
