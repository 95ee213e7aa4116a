// Loaded into the language server before its own code: measures how long its main thread, which answers the editor, was
// blocked, and the memory of the process. Answers each IPC message of kind `watched`, then starts over.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  process.on('message', (/** @type {{ readonly kind: string }} */ message) => {
    if (message.kind !== 'watched') return;
    const figures = { p99Ms: delays.percentile(99) / 1e6, rss: process.memoryUsage().rss };
    delays.reset();
    // Of the server's own kinds the one that asks for no answer.
    process.send?.({ kind: 'delivery', watched: figures });
  });
  process.channel?.unref();
}
