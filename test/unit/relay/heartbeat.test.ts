import { describe, expect, it } from 'vitest';
import { startHeartbeat } from '../../../relay/heartbeat.ts';
import { createWatchHealth } from '../../../relay/watch-health.ts';
import { virtualTimers } from '../../helpers/virtual-timers.ts';

const start = (send = async () => {}) => {
  const timers = virtualTimers();
  const health = createWatchHealth(['pods', 'nodes'], timers);
  const beats: number[] = [];
  const silences: (readonly string[])[] = [];
  const failures: unknown[] = [];
  const end = startHeartbeat({
    timers,
    silent: health.silent,
    send: async () => {
      beats.push(timers.nowMs());
      await send();
    },
    onFailure: (error) => failures.push(error),
    onSilence: (watches) => silences.push(watches),
  });
  return { timers, health, beats, silences, failures, end };
};

describe('heartbeat', () => {
  it('beats each minute while every watch is told something', async () => {
    const { timers, health, beats } = start();
    for (let minute = 0; minute < 5; minute += 1) {
      health.heard('pods');
      health.heard('nodes');
      await timers.advance(60_000);
    }
    expect(beats).toEqual([5_000, 65_000, 125_000, 185_000, 245_000]);
  });

  it('does not beat before each watch was told something for the first time', async () => {
    const { timers, health, beats, silences } = start();
    health.heard('pods');
    await timers.advance(60_000);
    expect(beats).toEqual([]);
    expect(silences).toEqual([['nodes']]);
    health.heard('nodes');
    await timers.advance(60_000);
    expect(beats).toEqual([65_000]);
  });

  it('stops while one watch is stuck, and goes on when it is told something again', async () => {
    const { timers, health, beats, silences } = start();
    health.heard('nodes');
    for (let minute = 0; minute < 6; minute += 1) {
      health.heard('pods');
      await timers.advance(60_000);
    }
    expect(beats).toEqual([5_000, 65_000, 125_000]);
    expect(silences).toEqual([['nodes'], ['nodes'], ['nodes']]);
    health.heard('nodes');
    await timers.advance(60_000);
    expect(beats.at(-1)).toBe(365_000);
  });

  it('goes on after a beat that the bus did not take', async () => {
    const { timers, health, beats, failures } = start(() => Promise.reject(new Error('away')));
    health.heard('pods');
    health.heard('nodes');
    await timers.advance(66_000);
    expect(beats).toHaveLength(2);
    expect(failures).toHaveLength(2);
  });

  it('ends when it is told to', async () => {
    const { timers, health, beats, end } = start();
    health.heard('pods');
    health.heard('nodes');
    await timers.advance(10_000);
    end();
    await timers.advance(600_000);
    expect(beats).toEqual([5_000]);
  });
});
