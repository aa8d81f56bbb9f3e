/** Whether a name matches a pattern in which `*` stands for any run of characters. */
export const matchesGlob = (pattern: string, name: string): boolean => {
  const parts = pattern.split('*');
  const [first = ''] = parts;
  if (parts.length === 1) return pattern === name;
  const last = parts.at(-1) ?? '';
  if (!name.startsWith(first) || name.length < first.length + last.length) return false;
  if (!name.endsWith(last)) return false;
  let rest = name.slice(first.length, name.length - last.length);
  for (const part of parts.slice(1, -1)) {
    const at = rest.indexOf(part);
    if (at < 0) return false;
    rest = rest.slice(at + part.length);
  }
  return true;
};
