// A request as a command for a POSIX shell: curl, wscat, websocat, grpcurl. A key is a variable of the environment, never
// its text.
import { isKeyVariable } from '../../service/keys/keyNames';
import { headerOf, parameterOf, refused, type CopyKey, type CopyRequest, type CopiedRequest } from './request';

const written = (...lines: readonly string[]): CopiedRequest => ({ kind: 'text', text: `${lines.join(' \\\n  ')}\n` });

/** Any text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const FROM_ENVIRONMENT = /\{\{\s*\$processEnv\s+([A-Za-z_]\w*)\s*\}\}/g;
const COMPUTED = /"\{\{=\s*([A-Za-z_]\w*)\s*\}\}"/g;

/** A word in which the shell expands environment variables, except those that hold a key. */
function expanding(text: string, numbers: ReadonlySet<string> = new Set()): string {
  const splice = (all: string, name: string): string => (isKeyVariable(name) ? all : `'"$${name}"'`);
  return quoted(text)
    .replace(FROM_ENVIRONMENT, splice)
    .replace(COMPUTED, (all: string, name: string) => (numbers.has(name) ? splice(all, name) : all));
}

const variable = ({ variable: name }: CopyKey): string => `"$${name}"`;

export function writeCurl(request: CopyRequest): CopiedRequest {
  return written(
    'curl --silent --show-error',
    urlWord(request),
    `-H ${quoted('Content-Type: application/json')}`,
    ...headerWords(request).map((word) => `-H ${word}`),
    `--data-raw ${expanding(request.body, request.numbers)}`,
  );
}

/** Seconds that wscat listens after it sent the request; without this it leaves after two. */
const LISTEN_S = 3600;

export function writeWscat(request: CopyRequest): CopiedRequest {
  return written(
    `wscat --connect ${urlWord(request)}`,
    ...headerWords(request).map((word) => `--header ${word}`),
    `--wait ${LISTEN_S}`,
    `--execute ${quoted(request.body)}`,
  );
}

/** The request comes on standard input; the socket stays open after it. */
export function writeWebsocat(request: CopyRequest): CopiedRequest {
  return written(
    `printf '%s\\n' ${quoted(request.body)} | websocat --no-close --text`,
    // It takes several headers after one flag, so that each is tied to its own.
    ...headerWords(request).map((word) => `--header=${word}`),
    urlWord(request),
  );
}

/** A stream ends when its request does, so that the request's side is kept open. */
export function writeGrpcurl(request: CopyRequest): CopiedRequest {
  const { url, call, keys, body } = request;
  if (call === undefined || !URL.canParse(url)) return refused('There is no gRPC call here.');
  const { protocol, hostname, port } = new URL(url);
  const isPlain = protocol === 'http:';
  if (keys.some(({ auth }) => headerOf(auth) === undefined))
    return refused('grpcurl passes keys as metadata, and this endpoint wants them in its URL.');
  const metadata = headerWords(request).map((word) => `-H ${word}`);
  const address = `${hostname}:${port === '' ? (isPlain ? '80' : '443') : port}`;
  const command = [
    `grpcurl${isPlain ? ' -plaintext' : ''} -import-path . -proto geyser.proto`,
    ...metadata,
    call.isStream ? '-d @' : `-d ${quoted(body)}`,
    `${quoted(address)} ${quoted(call.path)}`,
  ];
  const [first = '', ...rest] = command;
  const lines = call.isStream ? [`{ printf '%s' ${quoted(body)}; cat; } | ${first}`, ...rest] : command;
  return {
    kind: 'text',
    text: `# Run next to geyser.proto and solana-storage.proto of yellowstone-grpc.\n${lines.join(' \\\n  ')}\n`,
  };
}

/** The URL as a word, with the keys that travel in it. */
function urlWord({ url, keys }: CopyRequest): string {
  let word = '';
  let literal = url;
  for (const key of keys) {
    if (key.auth === 'path') {
      const [before = '', after = ''] = literal.split('{key}');
      word += quoted(before) + variable(key);
      literal = after;
    } else {
      const name = parameterOf(key.auth);
      if (name === undefined) continue;
      word += quoted(`${literal}${url.includes('?') ? '&' : '?'}${name}=`) + variable(key);
      literal = '';
    }
  }
  return literal === '' ? word : word + expanding(literal);
}

function headerWords({ keys, headers }: CopyRequest): readonly string[] {
  const own = keys.flatMap((key): readonly string[] => {
    const header = headerOf(key.auth);
    if (header === undefined) return [];
    if (header.scheme === undefined) return [quoted(`${header.name}: `) + variable(key)];
    const text =
      header.scheme === 'Bearer' ? `$${key.variable}` : `$(printf %s "$${key.variable}" | base64 | tr -d '\\n')`;
    return [`"${header.name}: ${header.scheme} ${text}"`];
  });
  return [...own, ...headers.map(([name, value]) => quoted(`${name}: ${value}`))];
}
