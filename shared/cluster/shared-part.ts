import type { ReadMemory } from './fields.ts';

/** Beyond it most parts are one object's alone (a Job's labels), and remembering them only costs. */
const mostParts = 20_000;

/**
 * The one copy of a part that many objects have alike: pods of one owner share labels, tolerations and
 * constraints, and a hundred thousand of them would otherwise hold as many copies. Equal by their JSON.
 */
export function sharedPart<Part extends object>({ parts }: ReadMemory, part: Part): Part {
  const text = JSON.stringify(part);
  const known = parts.get(text);
  // Whatever has the same JSON is the same part.
  if (known !== undefined) return known as Part;
  if (parts.size >= mostParts) parts.clear();
  parts.set(text, part);
  return part;
}
