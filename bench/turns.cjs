// Loaded into the service before its own code: the longest turn of its loop in processor time, which is what a client
// waits for on a machine that does nothing else. Answers each IPC message with milliseconds since the one before.
const TICK_MS = 1;

let longest = 0;
let last = process.cpuUsage();
setInterval(() => {
  const now = process.cpuUsage();
  longest = Math.max(longest, now.user - last.user + now.system - last.system);
  last = now;
}, TICK_MS).unref();

process.on('message', () => {
  process.send?.(longest / 1000);
  longest = 0;
});
process.channel?.unref();
