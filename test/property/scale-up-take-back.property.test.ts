import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mayTakeBack } from '#scaling/take-back.ts';
import { instance } from '../helpers/scaling-builders.ts';

const lifecycleStates = [
  'InService',
  'Pending',
  'Pending:Wait',
  'Standby',
  'Terminating',
  'Terminating:Wait',
  'Terminated',
  'Detaching',
  'Warmed:Stopped',
];

const capacities = fc.record({
  min: fc.nat(5),
  desired: fc.nat(12),
  newInstancesProtected: fc.oneof(fc.constant(true), fc.boolean()),
  instances: fc
    .array(
      fc.record({
        lifecycleState: fc.constantFrom(...lifecycleStates),
        protectedFromScaleIn: fc.oneof(
          { arbitrary: fc.constant(true), weight: 9 },
          { arbitrary: fc.boolean(), weight: 1 },
        ),
      }),
      { maxLength: 8 },
    )
    .map((all) => all.map((over, index) => instance(`i-${index}`, over))),
});

it('taking back leaves every instance that is not going, the minimum, and nothing to AWS to choose from', () => {
  let allowed = 0;
  fc.assert(
    fc.property(capacities, (capacity) => {
      const staying = capacity.instances.filter(
        ({ lifecycleState }) => !/^(Terminat|Warmed)/.test(lifecycleState),
      );
      const answer = mayTakeBack(capacity);
      if ('refused' in answer) {
        expect(answer.refused).not.toBe('');
        expect(
          capacity.newInstancesProtected &&
            staying.every(({ protectedFromScaleIn }) => protectedFromScaleIn),
        ).toBe(false);
        return;
      }
      allowed += 1;
      expect(answer.to).toBeLessThanOrEqual(capacity.desired);
      expect(capacity.newInstancesProtected).toBe(true);
      expect(staying.every(({ protectedFromScaleIn }) => protectedFromScaleIn)).toBe(true);
      if (answer.to === capacity.desired) return;
      expect(answer.to).toBeGreaterThanOrEqual(staying.length);
      expect(answer.to).toBeGreaterThanOrEqual(capacity.min);
    }),
    { numRuns: 500 },
  );
  expect(allowed).toBeGreaterThan(100);
});
