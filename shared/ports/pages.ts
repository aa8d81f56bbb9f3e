/** What must wake somebody. A page may come twice (same `id`), and never gets lost in silence. */
export interface Pages {
  send(page: Page): Promise<void>;
}

/** Stable: people route on it. Fields and kinds may be added. */
export interface Page {
  /** The same for the same occasion, however often it is sent: `cluster/kind/subject/since`. */
  readonly id: string;
  readonly cluster: string;
  /** `launches-without-binding`, `group-launches-fail`, … */
  readonly kind: string;
  /** What it is about: `pod ns/name`, `group workers-a`. */
  readonly subject: string;
  readonly atMs: number;
  /** One line: what is wrong. */
  readonly summary: string;
  /** What is known, and what to do. */
  readonly text: string;
  /** The journal's id of the decision that tells more. */
  readonly decision?: string;
}
