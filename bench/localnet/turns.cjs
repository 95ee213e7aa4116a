// Loaded into the service before its own code: the longest turn of its loop, which is what a client waits for on a
// machine that does nothing else. Processor time leaves out what other processes took, but adds up all threads, those
// that collect garbage in parallel to the loop as well; a turn is no longer than the time that passed either, so the
// lesser of the two counts. Answers each IPC message with milliseconds since the one before.
const TICK_MS = 1;

let longest = 0;
let last = process.cpuUsage();
let passed = performance.now();
setInterval(() => {
  const now = process.cpuUsage();
  const processor = (now.user - last.user + now.system - last.system) / 1000;
  const time = performance.now();
  longest = Math.max(longest, Math.min(processor, time - passed));
  last = now;
  passed = time;
}, TICK_MS).unref();

process.on('message', () => {
  process.send?.(longest);
  longest = 0;
});
process.channel?.unref();
