// Looks for secrets where none may be: in texts, in folders on disk. Spells them by itself, not with the code under test.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { KeyLeft } from '../keyLeft';

/**
 * A secret as it may appear in a text: raw, URL-encoded, JSON-escaped, as UTF-16, in entities, hex, base64 alone and inside a
 * longer text.
 */
export function spellingsOf(secret: string): readonly string[] {
  const hex = Buffer.from(secret).toString('hex');
  const url = encodeURIComponent(secret);
  const found = [
    secret,
    url,
    url.replace(/%../g, (code) => code.toLowerCase()),
    strictly(url),
    JSON.stringify(secret).slice(1, -1),
    ...escapedEchoesOf(secret),
    // The storage of browsers.
    [...secret].join('\0'),
    secret.replace(/[^\w.~-]/g, (char) => `&#${char.charCodeAt(0)};`),
    hex,
    hex.toUpperCase(),
  ];
  for (const form of ['base64', 'base64url'] as const)
    for (const before of ['', 'x', 'xx']) {
      // Whole groups of three bytes are written the same wherever the text around them begins.
      const whole = Buffer.from(before + secret);
      const from = before === '' ? 0 : 4;
      found.push(
        whole
          .subarray(0, whole.length - (whole.length % 3))
          .toString(form)
          .slice(from),
      );
    }
  return [...new Set(found)];
}

/** With the signs that `encodeURIComponent` leaves alone, as a URL has some of them in its query. */
const strictly = (url: string): string =>
  url.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Texts in which a service might repeat a secret: in each of its spellings, and within something longer. */
export function echoesOf(secret: string): readonly string[] {
  const codes = (write: (code: number) => string): string =>
    [...secret].map((char) => write(char.charCodeAt(0))).join('');
  const hex = Buffer.from(secret).toString('hex');
  const found = [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
    strictly(encodeURIComponent(secret)),
    hex.replace(/../g, '%$&'),
    hex,
    hex.toUpperCase(),
    codes((code) => `&#${code};`),
    codes((code) => `&#${code}`),
    codes((code) => `&#X${code.toString(16).toUpperCase()};`),
  ];
  for (const form of ['base64', 'base64url'] as const)
    for (const before of ['', 'x', 'xx']) found.push(Buffer.from(`${before}${secret}yz`).toString(form));
  return found;
}

/** The secret as JSON may also write it: `\\/` for a slash, `\\u00XX` for what is neither letter nor digit. */
export const escapedEchoesOf = (secret: string): readonly string[] => [
  secret.replaceAll('/', '\\/'),
  secret.replace(/[^a-z0-9]/gi, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
];

/** The first of the secrets' spellings in the text. */
export function leakIn(text: string, secrets: readonly string[]): string | undefined {
  return secrets.flatMap(spellingsOf).find((spelling) => text.includes(spelling));
}

export function assertNoLeak(text: string, secrets: readonly string[], where: string): void {
  const leak = leakIn(text, secrets);
  if (leak === undefined) return;
  const at = text.indexOf(leak);
  throw new KeyLeft(`${where} contains a secret: …${text.slice(Math.max(0, at - 200), at + leak.length + 40)}…`);
}

/** Every file below a folder; what cannot be read (a socket, a file that is gone by now) is left out. */
export function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(file);
    else if (entry.isFile()) yield file;
  }
}

/** The files below a folder whose name or bytes contain a secret. */
export function filesWith(folder: string, secrets: readonly string[]): readonly string[] {
  const needles = secrets.flatMap(spellingsOf).map((spelling) => Buffer.from(spelling));
  return [...filesBelow(folder)].filter((file) => {
    if (leakIn(file, secrets) !== undefined) return true;
    if (!statSync(file, { throwIfNoEntry: false })) return false;
    const bytes = readFileSync(file);
    return needles.some((needle) => bytes.includes(needle));
  });
}
