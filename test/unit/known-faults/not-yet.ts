/** Faults of what Outrider does not do yet, by what it would need. */
export const notYet: Readonly<Record<string, readonly number[]>> = {
  'no node is ever removed: unregistered and ghost nodes stay, and are told of': [
    87, 89, 91, 93, 94,
  ],
  'nothing is scaled down': [
    95, 97, 98, 99, 101, 102, 103, 105, 106, 107, 109, 110, 111, 113, 114, 115, 117, 118, 119,
  ],
};
