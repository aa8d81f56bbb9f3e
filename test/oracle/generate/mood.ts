import type { Dice } from './dice.ts';

/**
 * How much of each kind of demand a scene has, in percent of its nodes or pods. A scene with all of them would
 * ask about little but the filters that come first.
 */
export interface Mood {
  /** Nodes with taints; some as many are cordoned. */
  readonly taints: number;
  /** Nodes whose room is about what one pod asks for. */
  readonly tight: number;
  /** Pods that choose nodes by labels. */
  readonly selectors: number;
  /** Pods with affinity or anti-affinity to others. */
  readonly affinity: number;
  readonly spread: number;
  readonly ports: number;
  readonly volumes: number;
}

export const moodOf = (dice: Dice): Mood => ({
  taints: dice.of([0, 8, 8, 40]),
  tight: dice.of([0, 15, 15, 100]),
  selectors: dice.of([0, 8, 8, 30]),
  affinity: dice.of([0, 0, 15, 50]),
  spread: dice.of([0, 0, 15, 60]),
  ports: dice.of([0, 3, 40]),
  volumes: dice.of([0, 0, 30, 80]),
});
