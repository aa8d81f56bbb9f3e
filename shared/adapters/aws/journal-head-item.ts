import type { JournalHead } from '#ports/journal.ts';
import { type Item, number, readNumber, readText, text } from './dynamodb-keys.ts';
import { packJson, unpackJson } from './packed-json.ts';

/** A DynamoDB item holds 400 KB; room is left for the other attributes. */
const mostToldBytes = 350 * 1024;

/**
 * The head as attributes of an item; what pods were told is gzipped JSON. Where that does not fit (some
 * thousands of stuck pods), the words said longest ago are forgotten first: a pod that is forgotten is told again,
 * and since an Event's name is derived from its words, the same word is still the same Event.
 */
export async function packHead(head: JournalHead, mostBytes = mostToldBytes): Promise<Item> {
  let told = Object.entries(head.told);
  let packed = await packJson(Object.fromEntries(told));
  if (packed.length > mostBytes) told.sort(([, a], [, b]) => b.atMs - a.atMs);
  while (packed.length > mostBytes) {
    const kept = Math.min(told.length - 1, Math.floor((told.length * mostBytes) / packed.length));
    told = told.slice(0, kept);
    packed = await packJson(Object.fromEntries(told));
  }
  return {
    generation: number(head.generation),
    digest: text(head.digest),
    told: { B: packed },
    ...(head.toldUpTo === undefined ? {} : { toldUpTo: text(head.toldUpTo) }),
    ...(head.paged === undefined ? {} : { paged: { B: await packJson(head.paged) } }),
    ...(head.quiet === undefined ? {} : { quiet: { BOOL: head.quiet } }),
  };
}

/** The head that `packHead` packed. */
export async function unpackHead(item: Item): Promise<JournalHead> {
  const packed = item.told?.B;
  const toldUpTo = item.toldUpTo?.S;
  const paged = item.paged?.B;
  return {
    generation: readNumber(item, 'generation'),
    digest: readText(item, 'digest'),
    told: packed === undefined ? {} : ((await unpackJson(packed)) as JournalHead['told']),
    ...(toldUpTo === undefined ? {} : { toldUpTo }),
    ...(paged === undefined
      ? {}
      : { paged: (await unpackJson(paged)) as NonNullable<JournalHead['paged']> }),
    ...(item.quiet?.BOOL === true ? { quiet: true } : {}),
  };
}
