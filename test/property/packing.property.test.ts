import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NamespaceView } from '#cluster/snapshot.ts';
import type { NodeTemplate } from '#scheduling/node.ts';
import { packNewNodes } from '#scheduling/packing/pack-new-nodes.ts';
import type { NodeOffer, PackingAnswer, PodKind } from '#scheduling/packing/question.ts';
import {
  type SchedulingState,
  type StatePod,
  schedulingState,
} from '#scheduling/state/scheduling-state.ts';
import { namespaces, nodeTemplates, statePods } from '../helpers/state-arbitraries.ts';

interface Scene {
  readonly namespaces: readonly NamespaceView[];
  readonly templates: readonly NodeTemplate[];
  /** Bound in the beginning, each to the node of that position. */
  readonly bound: readonly StatePod[];
  readonly kinds: readonly PodKind[];
  readonly offers: readonly NodeOffer[];
  readonly existing: readonly number[] | undefined;
  readonly trials: number;
}

const scene: fc.Arbitrary<Scene> = fc
  .record({
    namespaces,
    templates: nodeTemplates(5),
    offered: fc.array(
      fc.record({
        price: fc.integer({ min: 1, max: 20 }),
        limit: fc.constantFrom(0, 1, 2, 5, Number.POSITIVE_INFINITY),
        picky: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    pods: statePods(9),
    counts: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 6, maxLength: 6 }),
    someExisting: fc.boolean(),
    trials: fc.constantFrom(0, 40),
  })
  .map(({ templates, offered, pods, counts, someExisting, ...rest }) => ({
    ...rest,
    templates: templates.slice(0, 2),
    bound: pods.slice(6),
    kinds: pods.slice(0, 6).map((pod, index) => ({ pod, count: counts[index] ?? 0 })),
    offers: offered.map(({ price, limit, picky }, index) => ({
      template: templates[(index + 2) % templates.length] as NodeTemplate,
      price,
      limit,
      ...(picky ? { accepts: (pod: StatePod) => pod.tolerations.length === 0 } : {}),
    })),
    existing: someExisting ? [0] : undefined,
  }));

const stateOf = ({ namespaces: list, templates, bound }: Scene): SchedulingState =>
  schedulingState(
    { namespaces: list, storage: {} },
    templates.map((template, node) => ({
      template,
      pods: bound.filter((_, index) => index % templates.length === node),
    })),
  );

const pack = (asked: Scene, state = stateOf(asked)): PackingAnswer =>
  packNewNodes({
    kinds: asked.kinds,
    offers: asked.offers,
    state,
    trials: asked.trials,
    ...(asked.existing === undefined ? {} : { existing: asked.existing }),
  });

const checks = { numRuns: 300 };

describe('packing of new nodes', () => {
  it('binds pods only where the filters pass, one after another, and counts what is left', () => {
    fc.assert(
      fc.property(scene, (asked) => {
        const answer = pack(asked);
        const state = stateOf(asked);
        for (const [index, offer] of answer.nodes.entries()) {
          state.addNode((asked.offers[offer] as NodeOffer).template, `bought-${index}`);
        }
        state.learn(asked.kinds.map(({ pod }) => pod));
        const left = asked.kinds.map(({ count }) => count);
        for (const { kind, node, count } of answer.bindings) {
          const { pod } = asked.kinds[kind] as PodKind;
          const offer = asked.offers[answer.nodes[node - asked.templates.length] ?? -1];
          expect(offer?.accepts?.(pod) ?? true).toBe(true);
          if (offer === undefined) expect(asked.existing ?? [node]).toContain(node);
          for (let n = 0; n < count; n += 1) {
            expect(state.questionOf(pod).explain(node)).toEqual([]);
            state.place(pod, node);
          }
          left[kind] = (left[kind] ?? 0) - count;
        }
        expect(answer.unplaced).toEqual(left);
      }),
      checks,
    );
  });

  it('takes no more of an offer than can be had, no node without pods, and says what all costs', () => {
    fc.assert(
      fc.property(scene, (asked) => {
        const answer = pack(asked);
        const used = new Set(answer.bindings.map(({ node }) => node));
        let price = 0;
        for (const [index, offer] of asked.offers.entries()) {
          const taken = answer.nodes.filter((one) => one === index).length;
          expect(taken).toBeLessThanOrEqual(offer.limit);
          price += taken * offer.price;
        }
        expect(answer.nodes.every((_, index) => used.has(asked.templates.length + index))).toBe(
          true,
        );
        expect(answer.price).toBe(price);
        if (answer.unplaced.every((count) => count === 0)) {
          expect(answer.least).toBeLessThanOrEqual(price);
        }
      }),
      checks,
    );
  });

  it('leaves the state as it was', () => {
    fc.assert(
      fc.property(scene, (asked) => {
        const state = stateOf(asked);
        const before = imageOf(state);
        pack(asked, state);
        expect(imageOf(state)).toEqual(before);
      }),
      checks,
    );
  });

  it('costs the same in whatever order it is asked', () => {
    fc.assert(
      fc.property(scene, (asked) => {
        const turned = {
          ...asked,
          kinds: asked.kinds.toReversed(),
          offers: asked.offers.toReversed(),
        };
        const [one, other] = [pack(asked), pack(turned)];
        expect(other.price).toBe(one.price);
        expect(sum(other.unplaced)).toBe(sum(one.unplaced));
      }),
      checks,
    );
  });
});

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

const imageOf = (state: SchedulingState): unknown =>
  Array.from({ length: state.nodeCount }, (_, node) => [
    state.nodeAt(node).name,
    [...state.podsOn(node)],
    state.free(node, 'pods'),
    state.free(node, 'cpu'),
  ]);
