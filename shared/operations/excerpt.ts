/** What holds a secret by its name, in JSON or in a query: the value is taken out. */
const named =
  /((?:"[^"]*|\b[\w-]*)(?:token|password|passwd|secret|credential|authorization|private[_-]?key|access[_-]?key|api[_-]?key|session)[\w-]*\\*"?\s*[:=]\s*\\*)("(?:[^"\\]|\\.)*"?|[^\s,;&}\]]+)/gi;

/** What is a secret by its shape: a JSON web token, an access key of AWS, a bearer token, a PEM block. */
const shaped =
  /\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bbearer\s+[\w.~+/=-]{8,}|-----BEGIN[\s\S]*?(?:-----END[^-]*-----|$)/gi;

const mostCharacters = 200;

/** How much is looked at: a secret that is cut off at the end of an excerpt must still be seen whole. */
const lookedAt = 4096;

/** The beginning of a message's body in one line, without what looks like a secret. */
export const excerptOf = (body: string): string => {
  const clean = body
    .slice(0, lookedAt)
    .replace(shaped, '[redacted]')
    .replace(named, '$1[redacted]')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...clean];
  return characters.length <= mostCharacters
    ? clean
    : `${characters.slice(0, mostCharacters - 1).join('')}…`;
};
