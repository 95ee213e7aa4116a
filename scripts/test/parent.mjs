// Loaded into every process that runs test files: ends it when the runner is gone, however the runner ended.
process.stdin.on('end', () => process.exit(1)).on('error', () => process.exit(1));
process.stdin.resume();
// The pipe alone must not keep a finished test file running.
/** @type {import('node:net').Socket} */ (process.stdin).unref();
