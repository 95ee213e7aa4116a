// Bounds on what is collected from outside: memory, messages, steps.

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
];
