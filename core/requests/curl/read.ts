// A pasted curl command as a request block. Keys are taken out and returned separately: they are never in the text.
import type { AuthForm } from '../../service/keys/authForm';
import { namesKey } from '../../service/keys/keyNames';
import { URL_OF, type EndpointProfile } from '../../service/profiles/profile';
import { readAddress, type AddressReading } from '../../service/providers/address';
import { isStandIn } from '../../service/providers/keyPlaces';
import { withoutKeyPlace } from '../../service/providers/urlText';
import { Secret } from '../../service/keys/secret';
import { decodeBase64 } from '../../solana/encoding/base64';
import { withoutHalves } from '../../solana/common/surrogates';
import { methodOf } from '../../solana/json/calls';
import { isJsonArray, isJsonObject, jsonOf, printJson, type JsonValue } from '../../solana/json/json';
import { withoutComments } from './comments';
import { findCommand, wordsOf } from './shells';
import { asWritten, filledIn, marked, namesIn, quotedNumbers, withoutMarks, withReferences } from './variables';

/** Longer texts are refused: nobody copies such a command. UTF-16 units. */
export const MAX_CURL = 1_000_000;

export interface PastedRequest {
  readonly kind: 'block';
  /** From `###` to the line feed after the body; holds no key. */
  readonly text: string;
  readonly method: string;
  /** The URL's host as it is shown. */
  readonly host: string;
  /** Keys that were in the command, in the order found; mostly one. */
  readonly keys: readonly Secret[];
  /** Where there were keys that `endpoint` has no place for: `URL`, or the name of a header. */
  readonly dropped: readonly string[];
  /** Left out of the block: options, headers, and what the shell does with the output. */
  readonly omitted: readonly string[];
  /** The endpoint that the command was for: its interfaces, and how its key travels. */
  readonly endpoint: AddressReading;
}

export type Pasted = PastedRequest | { readonly kind: 'refused'; readonly reason: string };

/** True for a text that begins like a curl command; cheap enough to ask of every pasted text. */
export const looksLikeCurl = (text: string): boolean =>
  text.length <= MAX_CURL && /\bcurl(?:\.exe)?\s/.test(text) && findCommand(text) !== undefined;

/** Short options with a value. */
const SHORT_WITH_VALUE = 'AbcCdDeEFHKmoPQrtTuUwxXYyz';
/** Long options with a value that a request block has no use for (curl(1), "OPTIONS"). */
const LONG_WITH_VALUE = new Set(
  (
    'abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to ' +
    'continue-at cookie cookie-jar create-file-mode crlfile curves delegation dns-interface dns-ipv4-addr ' +
    'dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine etag-compare etag-save expect100-timeout ' +
    'ftp-account ftp-method ftp-port happy-eyeballs-timeout-ms haproxy-clientip hostpubmd5 hostpubsha256 hsts ' +
    'interface ip-tos ipfs-gateway keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port ' +
    'login-options mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy output output-dir ' +
    'parallel-max pass pinnedpubkey postquote preproxy prequote proto proto-default proto-redir proxy proxy-cacert ' +
    'proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type ' +
    'proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword ' +
    'proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range rate referer request-target resolve retry ' +
    'retry-delay retry-max-time sasl-authzid service-name socks4 socks4a socks5 socks5-gssapi-service socks5-hostname ' +
    'speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword ' +
    'tlsuser trace trace-ascii trace-config unix-socket upload-flags user-agent variable vlan-priority write-out'
  ).split(' '),
);
const OWN_HEADERS =
  /^(?:content-type|content-length|accept|accept-encoding|accept-language|host|user-agent|connection|origin|referer|cookie|sec-.*|priority|cache-control|pragma|dnt)$/i;

/** Options that change what is shown, not what is sent. */
const QUIET = new Set(
  'f g i N s S v # compressed fail fail-with-body globoff include no-buffer no-progress-meter show-error silent verbose'.split(
    ' ',
  ),
);
/** Headers that every request has here, with these values. */
const SENT_ANYWAY =
  /^(?:content-length:.*|content-type: *application\/json *(?:; *charset=utf-8)?|accept: *(?:\*\/\*|application\/json))$/i;

/** Whether a header is sent here without being written. */
export const isSentAnyway = (name: string, value: string): boolean => SENT_ANYWAY.test(`${name}: ${value}`);

interface Command {
  url?: string;
  method?: string;
  readonly headers: [string, string][];
  /** Pieces of the body; one of `--json` follows without `&`. */
  body?: string;
  readonly queries: string[];
  readonly omitted: string[];
  user?: string;
}

const refused = (reason: string): Pasted => ({ kind: 'refused', reason });

export const readCurl = (text: string): Pasted => readMarked(withoutMarks(text));

/** As `readCurl`, of a text that has marks of variables already. */
export function readMarked(text: string): Pasted {
  if (text.length > MAX_CURL) return refused('The command is too long.');
  const found = findCommand(text);
  if (found === undefined) return refused('This is not a curl command.');
  const split = wordsOf(found);
  if (split.kind === 'refused') return split;
  const filled = (word: string): string => filledIn(word, found.assigned);
  const command = commandOf(split.words.slice(1).map(filled), split.input && filled(split.input));
  if (typeof command === 'string') return refused(command);
  // Its first word alone: the rest may hold a key.
  if (split.rest !== undefined) command.omitted.push(/^\W*[\w-]{0,20}/.exec(split.rest)?.[0] ?? '');
  return blockOf(command);
}

/** The sentence that refuses the command where an option cannot be carried over. */
function commandOf(words: readonly string[], input: string | undefined): Command | string {
  const command: Command = { headers: [], queries: [], omitted: [] };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!word.startsWith('-') || word === '-') {
      if (command.url === undefined) command.url = word;
      else command.omitted.push('a second URL');
      continue;
    }
    const [name, attached] = optionOf(word);
    const flags = word.startsWith('--') ? [] : [...word.slice(1, word.indexOf(name))];
    omit(command, flags);
    const value = (): string => attached ?? words[++at] ?? '';
    switch (name) {
      case 'H':
      case 'header':
        command.headers.push(headerOf(value()));
        break;
      case 'd':
      case 'data':
      case 'data-ascii':
      case 'data-binary':
      case 'json': {
        const given = value();
        const data = given === '@-' ? input : given.startsWith('@') ? undefined : given;
        if (data === undefined) return 'Its body is in a file: paste the body itself.';
        addBody(command, data, name === 'json' ? '' : '&');
        break;
      }
      case 'data-raw':
        addBody(command, value(), '&');
        break;
      case 'url-query':
        command.queries.push(queryOf(value()));
        break;
      case 'X':
      case 'request':
        command.method = value();
        break;
      case 'url':
        command.url = value();
        break;
      case 'u':
      case 'user':
        command.user = value();
        break;
      case 'oauth2-bearer':
        command.headers.push(['Authorization', `Bearer ${value()}`]);
        break;
      case 'F':
      case 'form':
      case 'T':
      case 'upload-file':
      case 'data-urlencode':
        return 'It sends a form or a file, and a JSON-RPC request is JSON.';
      case 'get':
        command.method = 'GET';
        break;
      case 'head':
        command.method = 'HEAD';
        break;
      default:
        omit(command, word.startsWith('--') || name.length === 1 ? [name] : [...name]);
        if (name.length === 1 ? SHORT_WITH_VALUE.includes(name) : LONG_WITH_VALUE.has(name)) value();
    }
  }
  return command;
}

/** Notes options that are not carried over; `-G` and `-I` decide the method. */
function omit(command: Command, names: readonly string[]): void {
  for (const name of names) {
    if (name === 'G' || name === 'I') command.method = name === 'G' ? 'GET' : 'HEAD';
    else if (name !== '' && !QUIET.has(name)) command.omitted.push(name.length === 1 ? `-${name}` : `--${name}`);
  }
}

function addBody(command: Command, text: string, separator: string): void {
  command.body = command.body === undefined ? text : `${command.body}${separator}${text}`;
}

/** A parameter of the URL as curl adds it: encoded, unless it begins with a plus. */
function queryOf(text: string): string {
  if (text.startsWith('+')) return text.slice(1);
  const at = text.indexOf('=');
  const [name, value] = at < 0 ? ['', text] : [text.slice(0, at), text.slice(at + 1)];
  const written = isStandIn(value) ? value : encodeURIComponent(withoutHalves(value));
  return name === '' ? written : `${name}=${written}`;
}

/** `-XPOST`, `-sS`, `--request=POST`, `--request`. */
function optionOf(word: string): readonly [name: string, value: string | undefined] {
  if (word.startsWith('--')) {
    const at = word.indexOf('=');
    return at < 0 ? [word.slice(2), undefined] : [word.slice(2, at), word.slice(at + 1)];
  }
  // Flags may precede an option with a value: `-sXPOST`.
  const index = [...word.slice(1)].findIndex((letter) => SHORT_WITH_VALUE.includes(letter)) + 1;
  if (index === 0) return [word.slice(1), undefined];
  const rest = word.slice(index + 1);
  return [word[index] ?? '', rest === '' ? undefined : rest];
}

function headerOf(text: string): [string, string] {
  const at = text.indexOf(':');
  return at < 0 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function blockOf({ url: written = '', method, headers, body: text, queries, user, omitted }: Command): Pasted {
  if (written === '') return refused('It names no URL.');
  const separator = written.includes('?') ? '&' : '?';
  const marks = queries.length === 0 ? written : `${written}${separator}${queries.join('&')}`;
  const url = asWritten(marks);
  const names = namesIn(marks);
  // Only the environment knows the host of a URL that begins with a variable.
  const isVariable = marks.startsWith(marked(names[0] ?? ''));
  const address = isVariable ? unknownAddress(url) : addressOf(url);
  if (address === undefined) return refused('Its URL is not one of HTTP.');
  if (method !== undefined && method.toUpperCase() !== 'POST')
    return refused(
      `It is a ${method
        .toUpperCase()
        .replace(/[^A-Z]/g, '')
        .slice(0, 10)} request, and JSON-RPC goes by POST.`,
    );
  if (text === undefined) return refused('It sends no body, and a JSON-RPC request is one.');
  const body = bodyOf(text);
  if (typeof body === 'string') return refused(body);
  const credentials: Credential[] = [];
  if (user !== undefined && user !== '') credentials.push(credentialOf('Authorization', `Basic ${user}`));
  const kept: string[] = [];
  const left = [...omitted];
  for (const [name, value] of headers) {
    if (namesKey(name, 'header')) credentials.push(credentialOf(name, value));
    else if (!OWN_HEADERS.test(name) && /^[\w-]+$/.test(name) && !/[\r\n]/.test(value))
      kept.push(`${name}: ${withReferences(escaped(value))}`);
    else if (!isSentAnyway(name, value)) left.push(`the header ${name.slice(0, 60)}`);
  }
  for (const { place, secret } of credentials) if (secret === undefined) left.push(`the header ${place}`);
  const endpoint = withCredential(address, chosenCredential(address, credentials));
  const found = [
    ...(address.key === undefined ? [] : [{ place: 'URL', secret: address.key.secret }]),
    ...credentials.flatMap(({ place, secret }) => (secret === undefined ? [] : [{ place, secret }])),
  ];
  if (isVariable && found.length > 0)
    return refused('Its URL is a variable of the shell, so that its key belongs to no known host: write the URL.');
  const { key } = endpoint;
  const dropped = found.filter(({ secret }) => key?.secret.equals(secret) !== true).map(({ place }) => place);
  const { value: request } = body;
  const name = isJsonArray(request) ? 'batch' : asWritten(methodOf(request) ?? '');
  const place = isVariable ? url : urlIn(endpoint);
  const lines = [
    `### ${name.replace(/[\r\n]/g, ' ')}`,
    // A number has no quotes around it: it is computed out of the text that the environment gives.
    ...body.numbers.map((one) => `@${one} = {{$processEnv ${one}}}`),
    `POST ${referring(escaped(place), names)}`,
    ...kept,
    '',
    withReferences(escapedBody(shown(request))),
    '',
  ];
  const keys = found.map(({ secret }) => secret);
  return {
    kind: 'block',
    text: lines.join('\n'),
    method: name,
    host: isVariable ? url : hostIn(url),
    keys,
    dropped,
    omitted: left.map(asWritten),
    endpoint,
  };
}

/** `$NAME` in a URL as references; a host is in lower case by now. */
function referring(url: string, names: readonly string[]): string {
  const written = new Map(names.toReversed().map((name) => [name.toLowerCase(), name]));
  return url.replace(/\$(\w+)/g, (all, found: string) => {
    const name = written.get(found.toLowerCase());
    return name === undefined ? all : withReferences(marked(name));
  });
}

/** A URL without a scheme has one of TLS, as everywhere here. */
const withScheme = (url: string): string => (/^https?:\/\//i.test(url) ? url : `https://${url}`);

/** Undefined for another scheme, and for a text that is not a URL. */
function addressOf(url: string): AddressReading | undefined {
  const whole = withScheme(url);
  const isOther = whole !== url && /^[^/?#]*:\/\//.test(url);
  return isOther || !URL.canParse(whole) ? undefined : readAddress(url);
}

const unknownAddress = (name: string): AddressReading => ({ name, profile: {}, slot: 'rpc' });

const hostIn = (url: string): string => new URL(withScheme(url)).host;

/** The request, or a sentence that says why there is no request in the text. */
function bodyOf(given: string): { readonly value: JsonValue; readonly numbers: readonly string[] } | string {
  const { text, names } = quotedNumbers(given);
  const value = jsonOf(text) ?? jsonOf(withoutComments(text));
  if (value === undefined) return 'Its body is not JSON, so it is not a JSON-RPC request.';
  const calls: readonly JsonValue[] = isJsonArray(value) ? value : [value];
  if (calls.length === 0 || !calls.every((call) => isJsonObject(call) && methodOf(call) !== undefined))
    return 'Its body is JSON without a "method", so it is not a JSON-RPC request.';
  return { value, numbers: names };
}

/** A key in a header, and the form in which it travels there; no key where a variable of the shell was written. */
interface Credential {
  /** The name of the header. */
  readonly place: string;
  readonly form: AuthForm;
  readonly secret: Secret | undefined;
}

function credentialOf(name: string, given: string): Credential {
  const value = asWritten(given);
  const [, scheme = '', text = ''] = /^(?:(Bearer|Basic|Token)\s+)?(?!\s)(.*)$/is.exec(value.trim()) ?? [];
  const isBasic = /^basic$/i.test(scheme);
  const key = isBasic ? userOf(text) : text;
  // One who copied a variable kept their key out already.
  const secret = key === '' || isStandIn(key) || value !== given ? undefined : new Secret(key);
  if (name.toLowerCase() !== 'authorization') return { place: name, form: `header:${name}`, secret };
  return { place: name, form: isBasic ? 'basic' : 'bearer', secret };
}

/** `user:password`, as curl takes it or as it is sent. */
function userOf(text: string): string {
  if (text.includes(':')) return text;
  const bytes = decodeBase64(text);
  const plain = bytes === undefined ? '' : new TextDecoder().decode(bytes);
  return plain.includes(':') ? plain : text;
}

/** An endpoint has one key: that of a header, unless the URL is of a provider whose URLs have it. */
function chosenCredential(
  { key, provider }: AddressReading,
  credentials: readonly Credential[],
): Credential | undefined {
  const given = credentials.find(({ secret }) => secret !== undefined);
  if (key === undefined) return given ?? credentials[0];
  return provider === undefined ? given : undefined;
}

/** A key in a header takes the place of one in the URL. */
function withCredential(address: AddressReading, credential: Credential | undefined): AddressReading {
  if (credential === undefined) return address;
  const { form, secret } = credential;
  const { profile } = address;
  // Bearer is what a profile means that says nothing, but not at a provider whose URLs have the key.
  const isUsual = form === 'bearer' && (address.provider === undefined || address.provider.id === 'hosted');
  const faces = (['rpc', 'ws', 'swqos'] as const).filter((face) => profile[URL_OF[face]] !== undefined);
  const urls = faces.map((face) => [URL_OF[face], withoutKeyPlace(profile[URL_OF[face]] ?? '')] as const);
  const auth: EndpointProfile['auth'] = {
    ...(isUsual ? {} : Object.fromEntries(faces.map((face) => [face, form] as const))),
    ...(profile.auth?.grpc !== undefined && { grpc: profile.auth.grpc }),
  };
  const type = address.slot === 'swqos' ? 'swqos' : 'rpc';
  const { auth: stated, ...rest } = profile;
  const says = stated !== undefined || Object.keys(auth).length > 0;
  return {
    ...address,
    profile: { ...rest, ...Object.fromEntries(urls), ...(says && { auth }) },
    ...(secret !== undefined && { key: { type, secret } }),
  };
}

/** The URL of the command, without its key: the endpoint has the place of one. */
const urlIn = ({ slot, profile }: AddressReading): string =>
  profile[URL_OF[slot === 'grpc' ? 'rpc' : slot]] ?? profile[URL_OF[slot]] ?? '';

/** A short request on one line, a longer one indented; digits as they were. */
function shown(value: JsonValue): string {
  const line = printJson(value).replace(/^\{/, '{ ').replace(/\}$/, ' }');
  return line.length <= 100 && !isJsonArray(value) ? line : printJson(value, 2);
}

/** `{{` in a command is text; in a file it would be a variable. */
const escaped = (text: string): string => text.replaceAll('{{', '\\{{');
const escapedBody = (text: string): string =>
  text.replace(/"[^"\\]*(?:\\[^][^"\\]*)*"?/g, (part) => part.replaceAll('{{', '\\\\{{'));
