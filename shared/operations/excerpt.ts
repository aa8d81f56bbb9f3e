/*
 * What looks like a secret is searched for in text that anybody may have sent. Each expression below is therefore linear
 * in the length of the text: what repeats has an upper bound or nothing after it that could fail.
 */

const redacted = '[redacted]';

/** Words in the name of a field that holds a secret; the last three only where the word ends. */
const secretWord =
  '(?:token|passw|passphrase|passcode|passkey|secret|credential|authorization|cookie|signature|session|dockerconfig|' +
  '(?:private|access|api|client|account|shared|master|signing|encryption)[_ -]?key|(?:pass|pwd|auth)(?![a-z]))';

/** Between a name and its value, in JSON, in JSON within a text, in YAML or in a query. */
const separator = '\\\\{0,8}["\']? ?[:=] ?\\\\{0,8}';

/** Of an object or a list all that follows is taken: what closes it is not for an expression to find. */
const value =
  '(?:\\[redacted\\]|[\\[{].*|"(?:[^"\\\\]|\\\\.)*"?|\'[^\']*\'?|' +
  '(?:(?:[|>][+-]?|basic|bearer|digest) )?[^\\s,;&}\\]]+)';

/** A field that holds a secret by its name: `"apiToken": "…"`, `client-key-data: …`, `password=…`. */
const named = new RegExp(`(${secretWord}[\\w.-]{0,64}${separator})${value}`, 'gi');

/** A name that stands beside its value: `{"name": "DB_PASSWORD", "value": "…"}`, in either order. */
const namedBeside = new RegExp(`(?:name|key)${separator}["']?[^\\s"']{0,64}?${secretWord}`, 'i');
const valueBeside = new RegExp(`(value${separator})${value}`, 'gi');

/** What is a secret by its shape: a JSON web token, an access key of AWS, a bearer token, a PEM block. */
const shaped =
  /\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bbearer [\w.~+/=-]{8,}|-----BEGIN.*?(?:-----END[^-]*-----|$)/gi;

/** Who asks, in an address: `https://user:password@host`. A password may have any sign in it. */
const userInAddress = /(:(?:\\?\/){2})(?:[^\s"'/:@]{0,256}:[^\s"']{1,1024}|[^\s"'/:@]{1,256})@/g;

const mostCharacters = 200;

/** How much is looked at: a secret that is cut off at the end of an excerpt must still be seen whole. */
const lookedAt = 4096;

const withoutSecrets = (line: string): string => {
  const clean = line.replace(shaped, redacted).replace(userInAddress, `$1${redacted}@`);
  // Which value belongs to which name is not looked into: one name that tells of a secret hides all values.
  const beside = namedBeside.test(clean) ? clean.replace(valueBeside, `$1${redacted}`) : clean;
  return beside.replace(named, `$1${redacted}`);
};

/** The beginning of a text that others wrote, in one line, without what looks like a secret. */
export const excerptOf = (text: string): string => {
  const line = text.slice(0, lookedAt).replace(/\s+/g, ' ').trim();
  const clean = withoutSecrets(line);
  const characters = [...clean];
  return characters.length <= mostCharacters
    ? clean
    : `${characters.slice(0, mostCharacters - 1).join('')}…`;
};
