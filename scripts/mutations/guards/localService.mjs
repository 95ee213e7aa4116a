// Guards of the local service: who reaches it, what a client may cost it, what its keys open.
const UNIT = 'test/unit/localnet/localnet-guards.test.ts';
const HTTP = 'test/contract/admin/guard-http.test.ts';
const SOCKET = 'test/contract/websocket/http-websocket.test.ts';
const GEYSER = 'test/contract/geyser/geyser-auth.test.ts';
const LOCK = 'test/unit/localnet/state-lock.test.ts';
const FIELDS = 'test/unit/localnet/state-fields.test.ts';
const PORTS = 'test/unit/localnet/open-ports.test.ts';
const STREAMS = 'test/contract/admin/guard-streams.test.ts';

/** @type {readonly import('../list.mjs').Group[]} */
export const LOCAL_SERVICE = [
  {
    file: 'localnet/rpc/methods/sendMethods.ts',
    tests: ['test/contract/rpc/rpc-preflight.test.ts'],
    edits: [['a failed preflight leaves balances out', '    ...NOT_OF_PREFLIGHT,\n', '']],
  },
  {
    file: 'localnet/guard/browser.ts',
    tests: [UNIT],
    edits: [
      ['a request has one Host', 'hosts.length > 1', 'false', [[HTTP, 'two Host headers']]],
      ['the Host is a loopback name', 'if (!isOwnAuthority(headers.host, port))', 'if (false)'],
      ['the Host has the port of the service', 'own === `${name}:${port}` ||', 'own.startsWith(name) ||'],
      ['an Origin is the service itself', 'if (origin !== undefined && !isOwnOrigin(origin, port))', 'if (false)'],
      [
        'an Origin is compared whole',
        "return origin.startsWith('http://') && isOwnAuthority(origin.slice('http://'.length), port);",
        "return origin.startsWith('http://localhost') || origin.startsWith('http://127.0.0.1') || isOwnAuthority(origin.slice('http://'.length), port);",
      ],
      [
        'another site is refused without an Origin',
        "return fromAnotherSite && !opens ? 'Requests from other sites are refused' : undefined;",
        "return fromAnotherSite && !opens && headers.host === undefined ? 'no' : undefined;",
      ],
      [
        'a link opens the dashboard alone',
        "const opens = navigation && headers['sec-fetch-mode'] === 'navigate';",
        "const opens = headers['sec-fetch-mode'] === 'navigate';",
      ],
      [
        'without keys, a page of another machine is refused on a port that is open to all',
        "if (origin !== undefined && !isLocalOrigin(origin)) return 'Requests from other origins are refused';\n  return origin",
        'return origin',
      ],
      [
        'without keys, an Origin is a loopback name',
        'LOOPBACK_NAMES.includes(hostname)',
        'LOOPBACK_NAMES.some((name) => hostname.startsWith(name))',
      ],
    ],
  },
  {
    file: 'localnet/http/listen.ts',
    tests: [UNIT],
    edits: [
      ['HTTP listens on loopback alone', "port: number, host = '127.0.0.1'", "port: number, host = '0.0.0.0'"],
      ['headers are bounded', 'maxHeaderSize: MAX_HEADERS,', 'maxHeaderSize: 64 * MAX_HEADERS,'],
      ['a client may not take forever for its headers', 'headersTimeout: timeouts.headersMs,', 'headersTimeout: 0,'],
      ['a client may not take forever for its body', 'requestTimeout: timeouts.requestMs,', 'requestTimeout: 0,'],
      ['an idle connection is closed', 'keepAliveTimeout: timeouts.idleMs,', 'keepAliveTimeout: 0,'],
      ['connections are bounded', 'boundConnections(server);', ''],
    ],
  },
  {
    file: 'localnet/httpService.ts',
    tests: [HTTP],
    edits: [
      [
        'every request is guarded against browsers',
        'refusal !== undefined\n        ? { answer: restError(403, refusal) }',
        "refusal === ''\n        ? { answer: restError(403, refusal) }",
        [[HTTP, 'the Host']],
      ],
    ],
  },
  {
    file: 'localnet/optionConflicts.ts',
    tests: [['test/contract/open/open-command-line.test.ts', 'bind-address']],
    edits: [['what keys protect listens on no other interface', "bindAddress === '0.0.0.0' && !open", 'false']],
  },
  {
    file: 'localnet/optionReads.ts',
    tests: [['test/contract/open/open-command-line.test.ts', 'bind-address']],
    edits: [
      [
        'no interface is chosen by its address',
        "return word === '127.0.0.1' || word === 'localhost' ? '127.0.0.1' : undefined;",
        "return word === '' ? '0.0.0.0' : '127.0.0.1';",
      ],
    ],
  },
  {
    file: 'localnet/guard/connections.ts',
    tests: [UNIT],
    edits: [
      ['the oldest idle connection is closed', '(oldest ?? socket).destroy();', 'socket.destroy();'],
      [
        'upgraded connections end with their server',
        'for (const socket of socketsOf.get(server)?.open ?? []) socket.destroy();',
        'server.closeAllConnections();',
        [PORTS],
      ],
      ['a connection at work stays', 'idle.delete(request.socket);\n    response.on', 'response.on'],
    ],
  },
  {
    file: 'localnet/guard/target.ts',
    tests: [UNIT],
    edits: [['a request target is a path', "!text.startsWith('/') || text.startsWith('//')", "text === ''"]],
  },
  {
    file: 'localnet/guard/depth.ts',
    tests: [UNIT],
    edits: [['deep JSON is refused', 'if (++depth > MAX_JSON_DEPTH) return true;', 'depth++;']],
  },
  {
    file: 'localnet/http/body.ts',
    tests: [UNIT],
    edits: [
      ['a body has a bound', 'if (size > cap) refusal ??= tooLarge(cap);\n        else if', 'if'],
      ['a body far above the bound is left unread', 'if (size <= cap + DROPPED) return;', 'if (size > 0) return;'],
      ['bodies share a budget', 'else if (this.#held + part.length > BUDGET) refusal ??= BUSY;', ''],
    ],
  },
  {
    file: 'localnet/admin/routes.ts',
    tests: ['test/contract/admin/admin-local.test.ts'],
    edits: [
      [
        '/local needs its token',
        'if (!isAdmin(context.adminToken, request.headers.authorization)) {',
        'if (request.headers.authorization === undefined) {',
        [['test/contract/admin/admin-local.test.ts', 'opens nothing under']],
      ],
      [
        'a body of /local is JSON by its type',
        'if (!isJsonContent(request))',
        'if (false)',
        [['test/contract/admin/admin-local.test.ts', 'another content type']],
      ],
    ],
  },
  {
    file: 'localnet/keys/access.ts',
    tests: [UNIT],
    edits: [
      [
        'a key must be known',
        "if (key === undefined) return refuse({ status: 401, message: 'The API key is not valid' });\n    keys.push(key);",
        'if (key !== undefined) keys.push(key);',
      ],
      [
        'every key presented must be good',
        "if (key === undefined) return refuse({ status: 401, message: 'The API key is not valid' });\n    keys.push(key);",
        "if (key !== undefined) keys.push(key);\n    else if (secrets.length === 1) return refuse({ status: 401, message: 'The API key is not valid' });",
      ],
      [
        'an answer names no secret',
        "message: 'The API key is not valid'",
        'message: `The API key ${secret} is not valid`',
      ],
      ['a suspended key opens nothing', 'if (suspension.remaining(now) > 0)', 'if (false)'],
      [
        'a gRPC key opens no JSON-RPC',
        'if (other !== undefined || first === undefined) {',
        'if (first === undefined) {',
      ],
      [
        'a SWQoS key alone opens sends alone',
        '(method === SEND ? (swqos ?? rpc) : rpc)',
        '(method === SEND ? (swqos ?? rpc) : (rpc ?? swqos))',
      ],
    ],
  },
  {
    file: 'localnet/websocket/listen.ts',
    tests: ['test/contract/websocket/http-websocket.test.ts'],
    edits: [
      [
        'a WebSocket of another origin is refused',
        'if (guarded !== undefined) return refused(403, guarded);',
        '',
        [[SOCKET, 'foreign Origin']],
      ],
      [
        'a WebSocket needs a key',
        'if (!access.ok) return access;\n  if (connections',
        'if (!access.ok && access.refusal.status === 403) return access;\n  if (!access.ok) return { ok: true, value: context.keyring.list()[0] as never };\n  if (connections',
        [[SOCKET, 'without a key']],
      ],
      ['a message has a bound', 'maxPayload: MAX_MESSAGE', 'maxPayload: 1024 * MAX_MESSAGE', [[SOCKET, 'oversized']]],
      ['connections have a bound', 'if (connections >= MAX_CONNECTIONS)', 'if (false)'],
      [
        'a connection ends with its key',
        'if (key.keyId === keyId) socket.close(',
        "if (key.keyId === '') socket.close(",
        [[SOCKET, 'a rotated key']],
      ],
    ],
  },
  {
    file: 'localnet/websocket/connection.ts',
    tests: ['test/contract/websocket/http-websocket.test.ts'],
    edits: [
      [
        'subscriptions of a connection have a bound',
        'if (subscriptions.size >= MAX_SUBSCRIPTIONS) {',
        'if (false) {',
        [[SOCKET, 'a thousand subscriptions']],
      ],
      ['binary messages are refused', 'if (isBinary) {', 'if (false) {', [[SOCKET, 'that is not text']]],
      [
        'calls over WebSocket cost the plan',
        'const refusal = refusalOf(context, key);\n    if (refusal',
        'const refusal = undefined as RpcError | undefined;\n    if (refusal',
        [[SOCKET, 'above the plan']],
      ],
      [
        'subscriptions end with their connection',
        'for (const subscription of subscriptions.values()) feed.remove(subscription);\n    subscriptions.clear();',
        'subscriptions.clear();',
      ],
    ],
  },
  {
    file: 'localnet/geyser/listen.ts',
    tests: ['test/contract/geyser/geyser-refusals.test.ts'],
    edits: [
      [
        'gRPC listens on loopback alone',
        "server.listen(port, '127.0.0.1');",
        "server.listen(port, '0.0.0.0');",
        [['test/net/localnet.test.ts', 'listens on 127']],
      ],
      [
        'connections have a bound',
        'const closeSessions = boundSessions(server, MAX_SESSIONS);',
        'const closeSessions = boundSessions(server, 1e6);',
        [[STREAMS, 'bound of gRPC connections']],
      ],
      [
        'a stream ends with its key',
        'endAll(endStatus(keyId, reason), ({ key }) => key.keyId === keyId)',
        'endAll(endStatus(keyId, reason), () => false)',
        [[GEYSER, 'a rotated key|a revoked key']],
      ],
      ['only gRPC calls are accepted', 'if (refused !== undefined) {\n      if', 'if (refused === 0) {\n      if'],
    ],
  },
  {
    file: 'localnet/geyser/calls.ts',
    tests: ['test/contract/geyser/geyser-refusals.test.ts'],
    edits: [
      ['streams have a bound', 'tooMany(open.size)', 'tooMany(0)'],
      [
        'a unary call takes one message',
        "if (request !== undefined) throw new GrpcFailure('INVALID_ARGUMENT', 'The call takes one message');\n      request",
        'request',
      ],
    ],
  },
  {
    file: 'localnet/geyser/admit.ts',
    tests: ['test/contract/geyser/geyser-auth.test.ts'],
    edits: [
      [
        'a browser’s page reaches no gRPC',
        'if (guarded !== undefined) return',
        "if (guarded === '') return",
        [[GEYSER, 'another origin']],
      ],
      [
        'a host header that differs from the authority is refused',
        'host: host === authority ? host : undefined',
        'host: authority',
        [[GEYSER, 'names this service']],
      ],
      [
        'the authority of a gRPC call is a loopback name',
        'host: host === authority ? host : undefined',
        'host: `127.0.0.1:${port}`',
        [[GEYSER, 'names this service']],
      ],
      [
        'a gRPC call needs a gRPC key',
        'if (key === undefined || other !== undefined)',
        'if (key === undefined)',
        [[GEYSER, 'PERMISSION_DENIED|along with']],
      ],
      [
        'a key as metadata must be good, too',
        "query.append('api_key', key);",
        "query.set('api_key', key);",
        [[GEYSER, 'every key that is presented']],
      ],
    ],
  },
  {
    file: 'localnet/geyser/framing.ts',
    tests: [STREAMS],
    edits: [
      [
        'a message has a bound once unpacked',
        'const limit = { maxOutputLength: MAX_CLIENT_MESSAGE };',
        'const limit = {};',
        ['test/contract/geyser/geyser-compression.test.ts', 'test/contract/geyser/geyser-refusals.test.ts'],
      ],
    ],
  },
  {
    file: 'localnet/files.ts',
    tests: ['test/unit/localnet/localnet-links.test.ts'],
    edits: [
      ['a link that appears late is not followed either', '(constants.O_NOFOLLOW ?? 0) | ', ''],
      ['a lock appears whole', 'return isMade(() => linkSync(draft, place));', "throw new Error('no links');", [LOCK]],
    ],
  },
  {
    file: 'localnet/accountsFile.ts',
    tests: ['test/unit/localnet/source-values.test.ts'],
    edits: [
      ['an account from outside has up to 10 MiB', "if (bytes.length > MAX_ACCOUNT_BYTES) return 'too large';", ''],
    ],
  },
  {
    file: 'process/sourceQuestions.ts',
    tests: ['test/unit/localnet/source-questions.test.ts'],
    edits: [
      ['a question has at most 100 addresses', ' && addresses.length <= MAX_ADDRESSES', ''],
      ['a question has an address', 'texts.length === 0 || ', ''],
      ['every address of a question is a text', 'texts.length < all.length', 'false'],
      [
        'what a question names is a text',
        "return typeof value === 'string' ? value : undefined;",
        'return value as string;',
      ],
      ['filters of a question are a text', "|| filters !== field(asked, 'filters')", ''],
      ['the least slot of a question is a whole number', 'if (minSlot !== given) return undefined;', ''],
    ],
  },
  {
    file: 'localnet/source/channel.ts',
    tests: ['test/unit/localnet/source-values.test.ts'],
    edits: [['a source is at a slot', 'if (!isSlot(value))', "if (typeof value !== 'number')"]],
  },
  {
    file: 'localnet/state/codec.ts',
    tests: [FIELDS],
    edits: [
      ['a record of a state file is checked', "RECORD.read(parsed(json), '')", 'parsed(json) as StateRecord'],
      ['a long line that is not a record is not read', 'isRecord ? MAX_LINE : MAX_TORN', 'MAX_LINE'],
    ],
  },
  {
    file: 'localnet/state/fields.ts',
    tests: [FIELDS],
    edits: [
      ['an integer of a state file has as many digits as 64 bits', ' || !INTEGER.test(digits)', ''],
      ['a member that nobody reads is removed', 'delete members[name];', ''],
    ],
  },
  {
    file: 'localnet/state/file.ts',
    tests: [FIELDS],
    edits: [['a state file has a bound', 'bytes.length > MAX_BYTES ?', 'bytes.length > 1e15 ?']],
  },
  {
    file: 'localnet/state/lock.ts',
    tests: [LOCK],
    edits: [
      ['a lock is taken over by one process alone', 'take(second, files);', 'files.create(second);'],
      [
        'a lock is looked at again before it is replaced',
        'if (!isLeft(lock, files)) continue;\n      files.replace(lock);',
        'files.replace(lock);',
      ],
      [
        'a lock of another is not given back',
        'if (files.holder(lock) === files.pid) files.remove(lock);',
        'files.remove(lock);',
      ],
      ['a lock that names no process stays', 'if (content !== undefined && !PID.test(content))', 'if (false)'],
    ],
  },
];
