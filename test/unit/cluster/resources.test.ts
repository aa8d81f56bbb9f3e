import { describe, expect, it } from 'vitest';
import { getOwn, setOwn } from '#cluster/own-record.ts';
import {
  addResources,
  amountIn,
  maxResources,
  minResources,
  resourcesFit,
  subtractResources,
} from '#cluster/resources.ts';

const largest = Number.MAX_SAFE_INTEGER;

describe('resources', () => {
  const a = { cpu: 1000, memory: 500 };
  const b = { cpu: 300, 'nvidia.com/gpu': 1 };

  it('adds, subtracts and compares every resource of either side', () => {
    expect(addResources(a, b)).toEqual({ cpu: 1300, memory: 500, 'nvidia.com/gpu': 1 });
    expect(subtractResources(a, b)).toEqual({ cpu: 700, memory: 500, 'nvidia.com/gpu': -1 });
    expect(maxResources(a, b)).toEqual({ cpu: 1000, memory: 500, 'nvidia.com/gpu': 1 });
    expect(minResources(a, b)).toEqual({ cpu: 300, memory: 0, 'nvidia.com/gpu': 0 });
  });

  it('leaves its arguments as they were', () => {
    expect(a).toEqual({ cpu: 1000, memory: 500 });
    expect(b).toEqual({ cpu: 300, 'nvidia.com/gpu': 1 });
  });

  it('holds sums at 2^53-1 on both sides', () => {
    expect(addResources({ memory: largest }, { memory: largest })).toEqual({ memory: largest });
    expect(subtractResources({ memory: -largest }, { memory: 5 })).toEqual({ memory: -largest });
  });

  it('fits what is equal, ignores zero requests and misses absent resources', () => {
    expect(resourcesFit({ cpu: 1000 }, a)).toBe(true);
    expect(resourcesFit({ cpu: 1001 }, a)).toBe(false);
    expect(resourcesFit({ cpu: 0 }, { cpu: -5 })).toBe(true);
    expect(resourcesFit({ 'nvidia.com/gpu': 1 }, a)).toBe(false);
  });

  it('finds no resource that only Object has, and keeps one named __proto__', () => {
    expect(amountIn({}, 'constructor')).toBe(0);
    const odd = JSON.parse('{"__proto__": 7}') as Record<string, number>;
    const sum = addResources({ cpu: 1 }, odd);
    expect(getOwn(sum, '__proto__')).toBe(7);
    expect(Object.getPrototypeOf(sum)).toBe(Object.prototype);
    const record: Record<string, number> = {};
    setOwn(record, '__proto__', 1);
    expect(JSON.stringify(record)).toBe('{"__proto__":1}');
  });
});
