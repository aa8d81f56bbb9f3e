import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import type { ScaleUpDecision } from '#scaling/decision.ts';
import { type InputParts, scaleUpInput } from './scaling-builders.ts';

/** The decision on an input built of these parts. */
export const decide = (parts: InputParts): ScaleUpDecision => decideScaleUp(scaleUpInput(parts));

/** `[group, from, to]` of every raise. */
export const raises = (parts: InputParts): readonly (readonly [string, number, number])[] =>
  decide(parts).scaleUps.map(({ group, from, to }) => [group, from, to]);

/** `[group, code]` of every reason why the pod default/<name> is stuck; `undefined` if it is not. */
export const codes = (parts: InputParts, name: string) =>
  decide(parts)
    .stuck.find((stuck) => stuck.pod === `default/${name}`)
    ?.reasons.map(({ group, code }) => [group, code]);
