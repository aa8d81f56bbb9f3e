/** A binary heap of numbered things, the least first by `before`. */
export interface Heap<Entry> {
  readonly size: number;
  peek(): Entry | undefined;
  push(entry: Entry): void;
  pop(): Entry | undefined;
}

export function createHeap<Entry>(before: (a: Entry, b: Entry) => boolean): Heap<Entry> {
  const entries: Entry[] = [];
  const at = (index: number) => entries[index] as Entry;
  const push = (entry: Entry): void => {
    let index = entries.length;
    entries.push(entry);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!before(entry, at(parent))) break;
      entries[index] = at(parent);
      index = parent;
    }
    entries[index] = entry;
  };
  const pop = (): Entry | undefined => {
    const least = entries[0];
    const last = entries.pop();
    if (entries.length === 0 || last === undefined) return least;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= entries.length) break;
      if (child + 1 < entries.length && before(at(child + 1), at(child))) child += 1;
      if (!before(at(child), last)) break;
      entries[index] = at(child);
      index = child;
    }
    entries[index] = last;
    return least;
  };
  return {
    get size() {
      return entries.length;
    },
    peek: () => entries[0],
    push,
    pop,
  };
}
