import { compareText } from '#cluster/order.ts';

/**
 * The zones in which AWS is expected to launch the next nodes of a group: each in the zone that has the fewest of
 * the group's instances by then, of equals the first by name (AZ balancing of EC2 Auto Scaling). An expectation,
 * not a promise: where the zone has no capacity AWS takes another.
 */
export const expectedZones = (
  zones: readonly string[],
  instances: readonly { readonly zone: string }[],
): ((index: number) => string) => {
  const counts = new Map([...zones].sort(compareText).map((zone) => [zone, 0]));
  for (const { zone } of instances) {
    const count = counts.get(zone);
    if (count !== undefined) counts.set(zone, count + 1);
  }
  const known: string[] = [];
  return (index) => {
    while (known.length <= index) {
      let [least = ''] = counts.keys();
      for (const [zone, count] of counts) if (count < (counts.get(least) ?? 0)) least = zone;
      counts.set(least, (counts.get(least) ?? 0) + 1);
      known.push(least);
    }
    return known[index] ?? '';
  };
};
