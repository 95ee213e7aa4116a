// Bounds on what is collected from outside: memory, messages, steps.

const GRPC = 'test/net/grpc/grpc-unary.test.ts';
const EXPECTED = 'test/unit/run/run-expected.test.ts';
const LARGE = 'test/unit/run/runner-large.test.ts';
const STREAMS = 'test/unit/run/runner-streams.test.ts';

/** @type {readonly import('../list.mjs').Group[]} */
export const BOUNDS = [
  {
    file: 'runner/stream.ts',
    tests: [STREAMS],
    edits: [
      ['the messages of a stream are bounded in number', 'list.length < MAX_MESSAGES', 'true'],
      ['the messages of a run are bounded in memory', 'memory.takes(memoryOf(message, memory.left))', 'true'],
      ['what is kept of a stream has no gap', 'this.surplus === 0 && list', 'list'],
    ],
  },
  {
    file: 'core/requests/curl/several.ts',
    tests: [['test/unit/document/curl-cost.test.ts', 'in an open quote']],
    edits: [['the search for the ends of pasted commands is bounded', ' && work.takes(length)', '']],
  },
  {
    file: 'core/service/response/outline.ts',
    tests: ['test/unit/values/response-index.test.ts'],
    edits: [
      [
        'every list of a response keeps offsets',
        'list.starts.length > most.starts.length ? list : most',
        'list ?? most',
      ],
    ],
  },
  {
    file: 'runner/request.ts',
    tests: [LARGE],
    edits: [
      ['the answers of a run are counted by their memory', 'memoryOf(answer.body, answers.left)', 'raw.length'],
      ['above the bound answers go into files', 'isFull ? SMALL_ANSWER : undefined', 'undefined'],
      ['an answer that cannot go into a file is not kept', 'if (isFull && isLarge(sent.value.body))', 'if (false)'],
    ],
  },
  {
    file: 'runner/run.ts',
    tests: [LARGE],
    edits: [['the files of a run share their bounds', 'memory: runMemory(),', 'get memory() { return runMemory(); },']],
  },
  {
    file: 'net/streams/queue.ts',
    tests: ['test/net/websocket/websocket.test.ts'],
    edits: [['unread messages are bounded by their bytes', 'this.#bytes > MAX_QUEUED_BYTES', 'false']],
  },
  {
    file: 'core/requests/methods/openrpc.ts',
    tests: [['test/unit/methods/methods-custom.test.ts', 'of more than']],
    edits: [
      ['the methods of an OpenRPC document are bounded', 'if (index >= MAX_METHODS)', 'if (false)'],
      ['the characters of an OpenRPC document are bounded', 'if (text.length > MAX_DOCUMENT)', 'if (false)'],
    ],
  },
  {
    file: 'proto/decode.ts',
    tests: ['test/unit/values/grpc-message.test.ts'],
    edits: [
      ['the values of a message are bounded', 'if (this.#left < 0) throw new TooManyValues();', ''],
      ['a message among others counts with its fields', 'this.#take(fields.length);', ''],
      ['packed values count', 'if (isPacked) this.#take(end - start);', 'if (isPacked) return;'],
      ['entries of a map count with their value', 'this.#take(message?.fields.length ?? 0);', ''],
      [
        'values are counted as they are decoded',
        'if (type !== wireType(field) && !isPacked) throw',
        'if (false) throw',
      ],
      [
        'what cannot be counted is not decoded',
        "if (number === 0) throw new Error('a field cannot be read');",
        'if (number === 0) return;',
      ],
    ],
  },
  {
    file: 'net/grpc/calls.ts',
    tests: [GRPC],
    edits: [
      [
        'a second message ends a unary call',
        'if (answer !== undefined) throw new RefusedAnswer(severalMessages(host));',
        '',
      ],
    ],
  },
  {
    file: 'net/grpc/grpcJsClient.ts',
    tests: [GRPC],
    edits: [
      [
        'a message that is refused ends a call of grpc-js',
        'this.cancel(failureOf(error, this.request.host));',
        'void error;',
      ],
    ],
  },
  {
    file: 'core/requests/run/assertions/schema.ts',
    tests: [EXPECTED],
    edits: [['references that never end are given up', 'if (depth > MAX_DEPTH)', 'if (false)']],
  },
  {
    file: 'core/requests/run/assertions/assertions.ts',
    tests: ['test/unit/run/run-assertions.test.ts'],
    edits: [
      [
        'what could not be checked has not passed',
        'return { passed: false, ...(actual !== undefined && { actual }), differences',
        'return { passed: true, ...(actual !== undefined && { actual }), differences',
      ],
    ],
  },
  {
    file: 'core/requests/run/assertions/pattern.ts',
    tests: ['test/unit/run/run-assertions.test.ts'],
    edits: [
      [
        'a pattern that cannot be used passes nothing',
        'if (!compiled.ok) throw new Unchecked(',
        'if (!compiled.ok) return () => false;\n  if (!compiled.ok) throw new Unchecked(',
      ],
    ],
  },
  {
    file: 'core/requests/run/assertions/work.ts',
    tests: [['test/unit/run/run-assertions.test.ts', 'says why']],
    edits: [['the work of a check has a bound', 'if (!this.takes(steps)) throw', 'if (false) throw']],
  },
];
