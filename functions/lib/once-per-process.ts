/**
 * Builds a value at the first call and keeps it for the life of the process; after a failure the next
 * call builds it again, so that one bad start does not condemn the process.
 */
export const oncePerProcess = <Value>(build: () => Promise<Value>): (() => Promise<Value>) => {
  let kept: Promise<Value> | undefined;
  return () => {
    const current = kept ?? build();
    kept = current;
    current.catch(() => {
      if (kept === current) kept = undefined;
    });
    return current;
  };
};
