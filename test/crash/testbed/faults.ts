/** What a real process and real adapters can tell apart; the rest is played in memory. */
export const testbedFaults: readonly string[] = [
  'cut before',
  'killed before',
  'killed after',
  'timeout after',
];
