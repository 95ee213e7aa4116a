// A URL as a text with the places of its parts, so that what is cut out of it leaves the rest as it was written. Pure.

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

export interface UrlPart extends TextSpan {
  readonly text: string;
}

export interface UrlParameter {
  /** Decoded. */
  readonly name: string;
  readonly value: UrlPart;
}

export interface UrlText {
  /** In lower case, without colon; undefined where the text has none. */
  readonly scheme: string | undefined;
  /** User and password with the `@` behind them. */
  readonly user: UrlPart | undefined;
  /** Host and port, in lower case, without the port that HTTPS has anyway. */
  readonly host: string;
  /** Non-empty segments of the path, as written. */
  readonly segments: readonly UrlPart[];
  readonly parameters: readonly UrlParameter[];
}

const SHAPE = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/i;

/** The parts of any text: whether it is a URL is for others to say. */
export function readUrlText(text: string): UrlText {
  const [, scheme, authority = '', path = '', query = ''] = SHAPE.exec(text) ?? [];
  const from = scheme === undefined ? 0 : scheme.length + 3;
  const at = authority.lastIndexOf('@') + 1;
  const pathAt = from + authority.length;
  return {
    scheme: scheme?.toLowerCase(),
    user: at === 0 ? undefined : { text: authority.slice(0, at - 1), start: from, end: from + at },
    host: authority.slice(at).toLowerCase().replace(/:443$/, ''),
    segments: partsOf(path, '/', pathAt).filter((part) => part.text !== ''),
    parameters: query === '' ? [] : partsOf(query, '&', pathAt + path.length + 1).map(parameterOf),
  };
}

function partsOf(text: string, separator: string, offset: number): UrlPart[] {
  let start = offset;
  return text.split(separator).map((part) => {
    const found = { text: part, start, end: start + part.length };
    start = found.end + separator.length;
    return found;
  });
}

function parameterOf({ text, start, end }: UrlPart): UrlParameter {
  const at = text.indexOf('=');
  const nameEnd = at < 0 ? text.length : at;
  const valueStart = at < 0 ? end : start + at + 1;
  return {
    name: unescaped(text.slice(0, nameEnd)),
    value: { text: text.slice(valueStart - start), start: valueStart, end },
  };
}

/** A text of a URL without its escapes; unchanged if they are not valid. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const ESCAPES = /(?:%[\da-f]{2})+/gi;

/** `USER:PASSWORD` without the escapes of a URL, always with a colon. A `%` that begins no escape is a character. */
export function plainUser(text: string): string {
  const colon = text.indexOf(':');
  const plain = (part: string): string => part.replace(ESCAPES, unescaped);
  return colon < 0 ? `${plain(text)}:` : `${plain(text.slice(0, colon))}:${plain(text.slice(colon + 1))}`;
}

/** `{key}`, as written or as `URL` writes it. */
export const isKeyPlace = (text: string): boolean => /^(?:\{key\}|%7Bkey%7D)$/i.test(text);

export const hasKeyPlace = (url: string): boolean => /\{key\}|%7Bkey%7D/i.test(url);

/** A URL without the parameter that is `{key}`; undefined if `{key}` is elsewhere: there is no such address without it. */
export function keylessAddress(url: string): string | undefined {
  const bare = url.replace(KEY_PARAMETER, withoutParameter);
  return hasKeyPlace(bare) ? undefined : bare;
}

const KEY_PARAMETER = /([?&])[^?&#=]*=(?:\{key\}|%7Bkey%7D)(&|(?=#|$))/i;
const withoutParameter = (_: string, before: string, after: string): string => (after === '&' ? before : '');

/** A URL without its `{key}`, and without the parameter that it is the value of. */
export function withoutKeyPlace(url: string): string {
  return url.replace(KEY_PARAMETER, withoutParameter).replace(/\/(?:\{key\}|%7Bkey%7D)/i, '');
}
