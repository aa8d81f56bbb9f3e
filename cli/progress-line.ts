/** A line on standard error that is written over itself; silent where that is no terminal. */
export interface ProgressLine {
  show(text: string): void;
  /** Makes room for lasting output. */
  clear(): void;
}

/** Often enough to be seen moving, seldom enough to cost nothing. */
const everyMs = 100;

export const createProgressLine = (stream: NodeJS.WriteStream): ProgressLine => {
  let shownAtMs = 0;
  let visible = false;
  return {
    show: (text) => {
      if (!stream.isTTY || Date.now() - shownAtMs < everyMs) return;
      shownAtMs = Date.now();
      visible = true;
      stream.write(`\r\u001b[K${text.slice(0, Math.max(0, (stream.columns || 80) - 1))}`);
    },
    clear: () => {
      if (visible) stream.write('\r\u001b[K');
      visible = false;
    },
  };
};
