// `npm start`: from a fresh clone to a running workbench. Installs, builds, starts the local service, runs the quick
// start against it, shows what was used, and opens VS Code. `-- --headless` ends after the report, with its exit code.
// Keys reach the terminal tool through its environment and nothing else; they are never printed.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Solana RPC Workbench needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}
const { start } = await import('./start/main.mjs');
await start(process.argv.slice(2));
