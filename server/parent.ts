// Imported before anything else: a server whose parent is gone ends at once. Opens nothing, keeps nothing alive.

/** True when the parent forked us with an IPC channel: the channel on which keys travel. */
export const hasChannel = process.channel !== undefined;

if (hasChannel) {
  process.on('disconnect', () => process.exit(0));
  // The channel alone must not keep the process alive; stdin does while the client is there.
  process.channel?.unref();
}
process.stdin.on('end', () => process.exit(0));
process.stdin.on('close', () => process.exit(0));
