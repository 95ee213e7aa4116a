// Guards of the wire: certificates, the proxy, time, sizes, what a hostile service may send.
const CONNECT = 'test/net/connect.test.ts';
const HOSTILE = 'test/net/http/hostile.test.ts';
const KEYS = 'test/net/keys/keys.test.ts';
const DIAL = 'test/net/websocket/websocket-connect.test.ts';
const SOCKET = 'test/net/websocket/websocket.test.ts';
const GRPC = 'test/net/grpc/grpc-hostile.test.ts';
const GRPC_CONNECT = 'test/net/grpc/grpc-connect.test.ts';

/** @type {readonly import('../list.mjs').Group[]} */
export const WIRE = [
  {
    file: 'net/sends.ts',
    tests: [['test/net/http/retry.test.ts', 'is not repeated']],
    edits: [
      [
        'a transaction is not repeated, however a provider calls its sending',
        'isSendingMethod(request.method)',
        "request.method === 'sendTransaction'",
      ],
      [
        'nor is one in a batch',
        "calls.filter((call) => isSendingMethod(member(call, 'method')))",
        "calls.filter((call) => member(call, 'method') === 'sendTransaction')",
      ],
    ],
  },
  {
    file: 'net/connect/connect.ts',
    tests: [CONNECT],
    edits: [
      ['certificates are checked', 'rejectUnauthorized: true,', 'rejectUnauthorized: false,'],
      ['the environment turns no check off', 'rejectUnauthorized: true,', ''],
      ['a connection has a time', '{ ms: connectMs, signal }', '{ ms: CONNECT_MS * 100, signal }'],
      [
        'the name of a certificate is the place’s',
        '...(net.isIP(place.host) === 0 ? { servername: place.host } : {}),',
        'checkServerIdentity: () => undefined,',
      ],
      [
        'a handshake is given up when the caller does',
        "signal.addEventListener('abort', onAbort, { once: true });",
        '',
      ],
    ],
  },
  {
    file: 'net/connect/proxy.ts',
    tests: [CONNECT],
    edits: [
      [
        'the certificate of a proxy is checked',
        '...trusted(extraCa), rejectUnauthorized: true',
        '...trusted(extraCa), rejectUnauthorized: false',
      ],
      [
        'the environment turns no check of a proxy off',
        '...trusted(extraCa), rejectUnauthorized: true',
        '...trusted(extraCa)',
      ],
      [
        'the name of a proxy’s certificate is the proxy’s',
        "servername: net.isIP(at.host) === 0 ? at.host : '',",
        'servername: place.host,',
      ],
      [
        'loopback goes through no proxy',
        "if (host === 'localhost' || host === '::1' || /^127(?:\\.\\d{1,3}){3}$/.test(host)) return true;",
        '',
      ],
      [
        'a suffix of noProxy begins at a dot',
        'host.endsWith(name) || host === name.slice(1)',
        'host.endsWith(name.slice(1))',
      ],
      ['a proxy that refuses is left', 'socket.destroy();', '', [[CONNECT, 'refuses and stays open']]],
      [
        'a proxy opens a tunnel by its status',
        'if (status >= 200 && status < 300) {',
        'if (status >= 200) {',
        [[CONNECT, 'named as the reason']],
      ],
    ],
  },
  {
    file: 'net/http/body.ts',
    tests: [HOSTILE],
    edits: [
      ['a body has a bound', 'if (this.#bytes > this.#limits.maxBytes) throw tooLarge(this.#limits.maxBytes);', ''],
      [
        'a body in a file is redacted',
        'return this.#take(this.#redactor.push(chunk));',
        'return this.#take(chunk);',
        [KEYS],
      ],
      ['a small body is redacted', 'const text = redactor.text(said);', 'const text = said;', [KEYS]],
      ['a small body is UTF-8', "if (said.includes('\\ufffd') && !isUtf8(bytes)) throw NOT_TEXT();", ''],
      ['a large body is UTF-8', 'if (!this.#utf8.push(piece)) throw NOT_TEXT();', 'this.#utf8.push(piece);'],
      [
        'an encoding that was not asked for is refused',
        "if (decoder === undefined) throw refuse('The answer is compressed",
        "if (encoding === '') throw refuse('The answer is compressed",
      ],
      ['a body that broke off leaves no file', 'await reader.discard();', ''],
    ],
  },
  {
    file: 'net/http/bodyFile.ts',
    tests: [HOSTILE],
    edits: [
      ['a response’s file is its owner’s alone', "await open(path, 'wx', 0o600)", "await open(path, 'wx', 0o644)"],
      ['a response’s file is always a new file', "await open(path, 'wx', 0o600)", "await open(path, 'w', 0o600)"],
    ],
  },
  {
    file: 'net/http/httpExchange.ts',
    tests: [HOSTILE],
    edits: [
      [
        'an exchange has a time',
        'setTimeout(() => this.#fail(timedOut(out.host, out.timeoutMs)), out.timeoutMs)',
        'setTimeout(() => undefined, 1)',
      ],
      [
        'cancelling ends an exchange',
        'whenAborted(signal, () => this.#fail(CANCELLED))',
        'whenAborted(signal, () => undefined)',
      ],
      [
        'headers are redacted',
        'return pairs.map(([name, value]) => [name, redactor.text(value)]);',
        'return pairs;',
        [KEYS],
      ],
    ],
  },
  {
    file: 'net/http/answer.ts',
    tests: [HOSTILE],
    edits: [
      [
        'an answer has the id that was asked',
        "if (!sameId(only.id, ids[0])) return protocol('answered with the id of another request');",
        '',
      ],
      ['an answer of a batch is to one of its questions', 'if (left === 0) return', 'if (left < 0) return'],
      ['a batch is answered whole', 'return missing === 0 ? undefined', 'return missing >= 0 ? undefined'],
      ['a batch answers no single request', 'if (envelope.isBatch || only === undefined)', 'if (only === undefined)'],
      [
        'foreign text in a message is one harmless line',
        'harmless(\n    text',
        '((words: string) => words)(\n    text',
        ['test/net/http/answers.test.ts', HOSTILE],
      ],
    ],
  },
  {
    file: 'net/websocket/dial.ts',
    tests: [DIAL],
    edits: [
      [
        'a WebSocket’s messages have a bound',
        'maxPayload: MAX_TEXT_MESSAGE,',
        'maxPayload: 0,',
        [SOCKET, 'test/net/websocket/text-gate.test.ts'],
      ],
      ['a refusal’s body is read no further than its bound', 'if (isCut) break;', ''],
      [
        'a refusal’s words are redacted',
        'const text = isCut ? redactor.cutText(body) : redactor.text(body);',
        'const text = body;',
        [DIAL, SOCKET],
      ],
      ['a refused upgrade is redirected nowhere', 'followRedirects: false,', 'followRedirects: true,'],
      [
        'opening a WebSocket has a time',
        'setTimeout(() => settle(failed(timedOut(host, timeoutMs))), timeoutMs)',
        'setTimeout(() => undefined, 1)',
        [DIAL, SOCKET],
      ],
    ],
  },
  {
    file: 'net/websocket/connection.ts',
    tests: [SOCKET],
    edits: [
      ['a half-open connection is given up', 'if (!this.#isHeard && !socket.isPaused) this.end(silent(host));', ''],
      [
        'a confirmation has a time',
        'setTimeout(() => this.end(timedOut(host, request.timeoutMs)), timeoutMs)',
        'setTimeout(() => undefined, 1)',
      ],
      [
        'cancelling ends a stream',
        'whenAborted(signal, () => this.end(CANCELLED))',
        'whenAborted(signal, () => undefined)',
      ],
      [
        'the words of a close are redacted',
        "closeError(code, redactor.text(reason.toString('utf8')), host)",
        "closeError(code, reason.toString('utf8'), host)",
      ],
    ],
  },
  {
    file: 'net/streams/queue.ts',
    tests: [['test/net/streams/raw-streams.test.ts', 'newest 10,000']],
    edits: [
      ['what comes before the confirmation has a bound', 'this.#items.length - this.#first > MAX_QUEUED', 'false'],
    ],
  },
  {
    file: 'net/grpc/bounds.ts',
    tests: [GRPC],
    edits: [
      [
        'a message has a bound',
        'if (size > MAX_GRPC_MESSAGE) throw new RefusedAnswer',
        'if (size > 2 * MAX_GRPC_MESSAGE + 4e9) throw new RefusedAnswer',
      ],
      [
        'a compressed message must have been asked for',
        'if (isCompressed && !isCompressible())',
        'if (isCompressed && false)',
      ],
    ],
  },
  {
    file: 'net/grpc/http2Exchange.ts',
    tests: [GRPC],
    edits: [
      [
        'a refusal’s body is read no further than its bound',
        'if (this.#refusalBytes > MAX_REFUSAL) this.#finish();',
        '',
        [[GRPC, 'never ends behind a refusal']],
      ],
      [
        'the body of a refusal is redacted',
        'redactor.cutText(body) : redactor.text(body)',
        'body : body',
        ['test/net/grpc/grpc-refusals.test.ts'],
      ],
      [
        'metadata are redacted',
        '[value].flat().map((text) => [name, redactor.text(text)] as const)',
        '[value].flat().map((text) => [name, text] as const)',
      ],
      ['the words of a status are redacted', 'this.request.redactor.text(unescaped(message))', 'unescaped(message)'],
      ['a call that ends within a message is lost', '(code === 0 && !this.#reader.isEmpty)', 'false'],
      ['a status that is not a number is UNKNOWN', '? Number(code) : 2', '? Number(code) : 0'],
    ],
  },
  {
    file: 'net/streams/reached.ts',
    tests: ['test/net/streams/begun-again.test.ts'],
    edits: [
      ['slots far below the newest are of another ledger', 'slot < (from ?? this.last) - BEHIND_SLOTS', 'slot < 0'],
      ['a replay is what came, not what was asked for', '(slot <= this.#brought || this.#brought < from)', 'true'],
    ],
  },
  {
    file: 'net/streams/ledgerWatch.ts',
    tests: ['test/net/streams/begun-again.test.ts'],
    edits: [['another genesis hash is another ledger', 'before !== answer.value', 'false']],
  },
  {
    file: 'net/grpc/stream.ts',
    tests: ['test/net/grpc/grpc-pings.test.ts'],
    edits: [['a flood of pings gets few answers', 'if (now - this.#answeredAt < ANSWER_MS) return;', '']],
  },
  {
    file: 'core/solana/encoding/zstd.ts',
    tests: ['test/unit/values/values-zstd.test.ts'],
    edits: [['a zstd block has a bound', "if (size > MAX_BLOCK) throw new ZstdError('a block is too large');", '']],
  },
  {
    file: 'net/grpc/unpack.ts',
    tests: ['test/net/grpc/grpc-zstd.test.ts'],
    edits: [
      [
        'an encoding must have been offered',
        'offered.includes(encoding) && Object.hasOwn',
        'Object.hasOwn',
        [GRPC, 'test/net/grpc/grpc-zstd.test.ts'],
      ],
      ['a zstd message has a bound once unpacked', 'unzstd(bytes, MAX_GRPC_MESSAGE)', 'unzstd(bytes, 2 ** 31 - 1)'],
      [
        'a gzip message has a bound once unpacked',
        'zlib.gunzipSync(bytes, WITHIN)',
        'zlib.gunzipSync(bytes)',
        ['test/net/grpc/grpc-zstd.test.ts', GRPC],
      ],
    ],
  },
  {
    file: 'net/grpc/grpcJsClient.ts',
    tests: [GRPC_CONNECT],
    edits: [
      [
        'certificates are checked by grpc-js',
        'createFromSecureContext(parts.trust(), { rejectUnauthorized: true })',
        'createFromSecureContext(parts.trust(), { rejectUnauthorized: false })',
      ],
    ],
  },
  {
    file: 'core/solana/json/json.ts',
    tests: ['test/unit/values/json-depth.test.ts'],
    edits: [
      ['plain numbers are read no deeper than others', '!isDeeper(value, MAX_DEPTH)', 'true'],
      ['exact numbers are read no deeper than the bound', 'depth === MAX_DEPTH &&', 'false &&'],
      ['what is printed has a bound in depth', 'depth === MAX_PRINTED_DEPTH', 'false'],
      ['indentation has a bound', "depth === INDENTED_LEVELS && newline !== ''", 'false'],
    ],
  },
  {
    file: 'runner/loop.ts',
    tests: ['test/unit/run/runner-faults.test.ts'],
    edits: [
      ['what a row throws ends no run', '.catch((thrown: unknown): Ended => ({ row: this.#fault(step, thrown) }))', ''],
      ['a row whose progress throws fails', 'report = this.#fault(step, thrown);', ''],
    ],
  },
  {
    file: 'cli/report/written.ts',
    tests: ['test/unit/cli/report-faults.test.ts'],
    edits: [['a row that cannot be written makes the exit code a failure', 'hasFailed = true;', '']],
  },
  {
    file: 'runner/expected.ts',
    tests: ['test/unit/run/run-expected.test.ts'],
    edits: [
      ['the name of a snapshot file is one part of a path', '.replaceAll(/[/\\\\:\\0]/g, encodeURIComponent)', ''],
    ],
  },
];
