// The text of `solana-rpc --help`.
import { COMMANDS } from './options';

export function generalHelp(): string {
  const rows = Object.values(COMMANDS).map(({ usage, text }) => `  ${usage.padEnd(16)} ${text}`);
  return `solana-rpc: Solana requests from .jsonrpc files

${rows.join('\n')}

  --help         of a command: its options
  --version

Keys come from SOLANA_RPC_KEY, SOLANA_GRPC_KEY and SOLANA_SWQOS_KEY, or from standard input with --key-stdin.
They go only to the URLs given on the command line, to origins in SOLANA_RPC_ORIGIN, and to your own configuration.

Exit codes: 0 all good, 1 wrong usage, 2 a file is invalid, 3 a request failed or was cancelled, 4 an assertion failed or a replay differs.
`;
}
