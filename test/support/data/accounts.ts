// A getProgramAccounts response of any size, as a service writes it: made piece by piece, so that nobody has to hold it.
import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** An SPL token account in base64, as nodes answer it; numbers as wide as they get. */
export function accountText(index: number): string {
  const data = Buffer.alloc(165, index % 251).toString('base64');
  const owner = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
  return (
    `{"account":{"data":["${data}","base64"],"executable":false,"lamports":${2_039_280 + index},"owner":"${owner}",` +
    `"rentEpoch":18446744073709551615,"space":165},"pubkey":"Account${index}"}`
  );
}

/** Accounts in one piece that is written. */
const PER_PIECE = 500;

interface Pause {
  /** Waited for between two pieces. */
  readonly wait: () => Promise<void>;
  /** Pieces before it; default 1. */
  readonly after?: number;
}

/** Writes a whole response of `count` accounts. */
export async function writeAccounts(
  to: Writable,
  count: number,
  id: string,
  { wait, after = 1 }: Pause = { wait: () => Promise.resolve() },
): Promise<void> {
  const closed = once(to, 'close');
  to.write('{"jsonrpc":"2.0","result":[');
  for (let from = 0; from < count && !to.destroyed; from += PER_PIECE) {
    const length = Math.min(PER_PIECE, count - from);
    const text = Array.from({ length }, (_, at) => accountText(from + at)).join(',');
    if (!to.write(from === 0 ? text : `,${text}`)) await Promise.race([once(to, 'drain'), closed]);
    if (from === (after - 1) * PER_PIECE) await wait();
  }
  to.end(`],"id":${id}}`);
}

/** The id token of a request's body. */
export const idIn = (body: string): string => /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? 'null';
