// Bounds on what is collected from outside: memory, messages, steps.

const GRPC = 'test/net/grpc/grpc-hostile.test.ts';
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
    file: 'net/websocket/websocket.ts',
    tests: ['test/net/websocket/websocket.test.ts'],
    edits: [['unread messages are bounded by their memory', 'memoryOf(result, MAX_QUEUED_BYTES)', 'end - start']],
  },
  {
    file: 'net/grpc/calls.ts',
    tests: [GRPC],
    edits: [
      ['a second message ends a unary call', 'if (answer !== undefined) throw new Refusal(severalMessages(host));', ''],
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
];
