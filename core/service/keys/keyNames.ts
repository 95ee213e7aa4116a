// Names under which services take a key, and texts that look like one: the one list for requests, diagnostics, pasted
// text and the command line. Pure.

/** Where a name is used. `argument`: an option, a URL or a NAME=VALUE of a command line, where a false alarm costs least. */
export type KeyPlace = 'header' | 'query' | 'argument' | 'variable';

const EVERYWHERE: readonly KeyPlace[] = ['header', 'query', 'argument', 'variable'];
/** Names that as a variable mean other things, too: a token's mint, a public key. */
const NOT_ALONE: readonly KeyPlace[] = ['header', 'query', 'argument'];

/** By the name without case, separators and prefixes. */
const KEY_NAMES: Readonly<Record<string, readonly KeyPlace[]>> = {
  apikey: EVERYWHERE,
  apitoken: EVERYWHERE,
  apisecret: EVERYWHERE,
  accesskey: EVERYWHERE,
  accesstoken: EVERYWHERE,
  authtoken: EVERYWHERE,
  authkey: EVERYWHERE,
  authorization: EVERYWHERE,
  bearer: EVERYWHERE,
  secretkey: EVERYWHERE,
  secret: EVERYWHERE,
  password: EVERYWHERE,
  drpckey: EVERYWHERE,
  key: NOT_ALONE,
  token: NOT_ALONE,
  auth: NOT_ALONE,
  k: ['argument'],
};

/** The member of a request body that carries a key (docs/local-service.md, "Keys"). */
export const KEY_MEMBER = 'api_key';

const PREFIXES = /^(?:x|rpc|grpc|swqos|solana)+(?=.)/;

/** True for a name that carries a key at this place: `X-API-Key`, `api_key`, `access-token`, `SOLANA_RPC_KEY`, … */
export function namesKey(name: string, place: KeyPlace): boolean {
  const bare = name.toLowerCase().replace(/[-_.\s]/g, '');
  return [bare, bare.replace(PREFIXES, '')].some(
    (one) => Object.hasOwn(KEY_NAMES, one) && KEY_NAMES[one]?.includes(place) === true,
  );
}

/** Long, of letters and digits, and neither a word nor a file. */
const KEY_TEXT = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_-]{20,}$/;
/** A JSON Web Token: three parts in base64url. */
const JWT = /^[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{10,}){2}$/;

/** True for a text that services issue as keys, alone or as a segment of a URL's path. Addresses look like that, too. */
export const looksLikeKey = (text: string): boolean => KEY_TEXT.test(text) || JWT.test(text);

/** Environment variables that no request may read: keys, and where keys may go. */
export const isKeyVariable = (name: string): boolean => /^SOLANA_(?:[A-Z0-9_]*KEY|RPC_ORIGIN)$/i.test(name);
