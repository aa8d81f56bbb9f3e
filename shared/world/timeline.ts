/** A clock that stands still between events, and the events that are due. */
export interface Timeline {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Does `run` at that time, or now if the time is past; same times in the order they were asked for. */
  at(atMs: number, run: () => void): void;
  /** When the next event is due; `undefined` where nothing more will happen by itself. */
  nextAtMs(): number | undefined;
  /** Lets everything happen that is due until then, and stops the clock there. Never goes back. */
  advanceTo(atMs: number): void;
}

interface Due {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

const before = (a: Due, b: Due): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

/** A binary heap, since a burst has tens of thousands of events. */
export const createTimeline = (startMs: number): Timeline => {
  let nowMs = startMs;
  let asked = 0;
  const heap: Due[] = [];

  const swap = (a: number, b: number): void => {
    const kept = heap[a] as Due;
    heap[a] = heap[b] as Due;
    heap[b] = kept;
  };

  const push = (due: Due): void => {
    let index = heap.push(due) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!before(due, heap[parent] as Due)) break;
      swap(index, parent);
      index = parent;
    }
  };

  const pop = (): Due | undefined => {
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let index = 0; ; ) {
      const left = 2 * index + 1;
      const right = left + 1;
      let least = index;
      if (left < heap.length && before(heap[left] as Due, heap[least] as Due)) least = left;
      if (right < heap.length && before(heap[right] as Due, heap[least] as Due)) least = right;
      if (least === index) return first;
      swap(index, least);
      index = least;
    }
  };

  return {
    nowMs: () => nowMs,
    at: (atMs, run) => push({ atMs: Math.max(atMs, nowMs), order: asked++, run }),
    nextAtMs: () => heap[0]?.atMs,
    advanceTo: (atMs) => {
      for (let next = heap[0]; next !== undefined && next.atMs <= atMs; next = heap[0]) {
        pop();
        nowMs = next.atMs;
        next.run();
      }
      nowMs = Math.max(nowMs, atMs);
    },
  };
};
