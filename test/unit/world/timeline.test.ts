import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTimeline } from '#world/timeline.ts';

describe('a timeline', () => {
  it('runs what is due in order of time, then in the order asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { maxLength: 200 }), (times) => {
        const timeline = createTimeline(0);
        const ran: { readonly at: number; readonly order: number }[] = [];
        times.forEach((at, order) => {
          timeline.at(at, () => {
            expect(timeline.nowMs()).toBe(at);
            ran.push({ at, order });
          });
        });
        timeline.advanceTo(50);
        const expected = times
          .map((at, order) => ({ at, order }))
          .sort((a, b) => a.at - b.at || a.order - b.order);
        expect(ran).toEqual(expected);
      }),
    );
  });

  it('runs what an event asks for within the same advance, and leaves the rest', () => {
    const timeline = createTimeline(100);
    const ran: string[] = [];
    timeline.at(110, () => {
      ran.push('first');
      timeline.at(115, () => ran.push('second'));
      timeline.at(130, () => ran.push('third'));
    });
    timeline.advanceTo(120);
    expect(ran).toEqual(['first', 'second']);
    expect(timeline.nowMs()).toBe(120);
    expect(timeline.nextAtMs()).toBe(130);
  });

  it('never goes back: the past happens now', () => {
    const timeline = createTimeline(100);
    timeline.advanceTo(200);
    timeline.at(150, () => expect(timeline.nowMs()).toBe(200));
    expect(timeline.nextAtMs()).toBe(200);
    timeline.advanceTo(50);
    expect(timeline.nowMs()).toBe(200);
  });
});
