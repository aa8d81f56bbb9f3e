import { describe, expect, it } from 'vitest';
import { stateOf } from '../../crash/scale-up/scale-up-state.ts';
import { simulatedCluster } from '../../helpers/simulated-cluster.ts';

const pagedIn = async (ids: readonly string[]): Promise<unknown> => {
  const { ports } = simulatedCluster();
  const page = { kind: 'group-launches-fail', subject: 'group workers-a' };
  const effects = ids.map((id, index) => ({
    name: 'pages.send',
    nth: index + 1,
    args: [{ ...page, id }],
  }));
  const seen = { cluster: 'demo', ports, podWords: async () => [], plain: (text: string) => text };
  return (await stateOf(seen, effects)).paged;
};

describe('the final state of scale-up', () => {
  it('has a page once that came twice under one id, and twice where it had two', async () => {
    const said = 'group-launches-fail group workers-a';
    expect(await pagedIn(['one', 'one'])).toEqual([said]);
    expect(await pagedIn(['one', 'another'])).toEqual([said, said]);
  });
});
