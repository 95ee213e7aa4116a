// The environment of a child process: ours, without keys and without variables that change how Node starts.

/** Variables that no child gets: keys and where they may go, Node's own options, and an editor's debugging hooks. */
const SCRUBBED =
  /^(SOLANA_[A-Z_]*KEY|SOLANA_RPC_ORIGIN|NODE_OPTIONS|NODE_REPL_EXTERNAL_MODULE|VSCODE_INSPECTOR_OPTIONS)$/i;

/** A copy for a child that runs on `process.execPath`, which inside an editor is Electron. */
export function childEnvironment(from: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(from).filter(([name]) => !SCRUBBED.test(name));
  return { ...Object.fromEntries(kept), ELECTRON_RUN_AS_NODE: '1' };
}

/** HTTP_PROXY, ALL_PROXY, npm_config_https_proxy and the like, whose URLs may hold a password. */
const PROXY = /(?:^|_)PROXY$/i;

/** The same for the local service, which reaches no other host and so needs no way there. */
export function serviceEnvironment(from?: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(childEnvironment(from)).filter(([name]) => !PROXY.test(name)));
}
