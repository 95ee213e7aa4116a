// The environment of the processes we start: Node inside Electron, and nothing secret. Pure.

/** Keys and where they may go belong to the terminal tool alone; NODE_OPTIONS would load a stranger's code into ours. */
const WITHHELD = /^(SOLANA_(.*_)?KEY|SOLANA_RPC_ORIGIN|NODE_OPTIONS|VSCODE_INSPECTOR_OPTIONS)$/i;

/** A copy of `env` for a child that runs as plain Node. */
export function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !WITHHELD.test(name));
  return { ...Object.fromEntries(kept), ELECTRON_RUN_AS_NODE: '1', ELECTRON_NO_ASAR: '1' };
}
