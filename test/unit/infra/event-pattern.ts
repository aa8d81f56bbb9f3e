/*
 * EventBridge's matching, as far as Outrider's patterns use it: every field named must be there and equal one
 * of the values, or begin with the prefix; everything else of the event is free. An operator that is not
 * known here throws: a test must not pass for want of looking.
 */
export const matches = (pattern: unknown, event: unknown): boolean => {
  if (typeof pattern !== 'object' || pattern === null) throw new Error('a pattern is an object');
  return Object.entries(pattern).every(([field, wanted]) => {
    const value = (event as Record<string, unknown> | undefined)?.[field];
    if (!Array.isArray(wanted)) return matches(wanted, value);
    return wanted.some((one) => matchesValue(one, value));
  });
};

const matchesValue = (wanted: unknown, value: unknown): boolean => {
  if (typeof wanted !== 'object' || wanted === null) return wanted === value;
  const operators = Object.entries(wanted);
  const [operator, operand] = operators[0] ?? [];
  if (operators.length !== 1 || operator !== 'prefix' || typeof operand !== 'string') {
    throw new Error(`operator not known here: ${JSON.stringify(wanted)}`);
  }
  return typeof value === 'string' && value.startsWith(operand);
};
