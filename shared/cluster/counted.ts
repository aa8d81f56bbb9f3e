/** `1 pod`, `2 pods`; `1 launch`, `2 launches` with the plural given. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
