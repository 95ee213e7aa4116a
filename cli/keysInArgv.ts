// Refuses command lines that hold a key: arguments are visible to every process of the machine and stay in shell history.
import { UsageError } from './exit';

const KEY_OPTION =
  /^--?(?:(?:rpc|grpc|swqos|solana|x)[-_]?)*(?:api[-_]?key|key|token|secret|auth(?:orization)?|bearer)(?:=|$)/i;
const KEY_PARAMETER = /[?&#;](?:x[-_])?(?:api[-_]?key|key|token|access[-_]?token|auth)=[^{&\s]/i;
const KEY_VARIABLE = /^(?:--var=)?SOLANA_[A-Z_]*KEY=/i;
const USER_INFO = /^(?:--[\w-]+=)?[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*@/i;

/** Throws UsageError; the sentence names no part of the argument but the option. */
export function refuseKeys(args: readonly string[]): void {
  for (const arg of args) {
    const holds = KEY_OPTION.test(arg) || KEY_PARAMETER.test(arg) || KEY_VARIABLE.test(arg) || USER_INFO.test(arg);
    if (!holds) continue;
    throw new UsageError(
      'A key does not belong on the command line: other processes and the shell history can read it. ' +
        'Set SOLANA_RPC_KEY, SOLANA_GRPC_KEY or SOLANA_SWQOS_KEY, or use --key-stdin.',
    );
  }
}
