/**
 * What `work` comes to, or `late` where it is not done within `ms`. Work that is late goes on by itself, and
 * what it comes to is nobody's matter any more; no timer outlives the answer.
 */
export const within = async <Value, Late>(
  work: Promise<Value>,
  ms: number,
  late: Late,
): Promise<Value | Late> => {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    clearTimeout(timer);
  }
};
