// The request files that the language benchmarks read: made from a count, the same each time.
const KEYS = [
  '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'So11111111111111111111111111111111111111112',
];

/** The bodies, as they are sent: eight methods with what people write into their params. Nothing is found in any. */
const BODIES: readonly ((key: string, slot: number) => unknown)[] = [
  (key) => ({ method: 'getBalance', params: [key, { commitment: 'processed' }] }),
  (key) => ({ method: 'getAccountInfo', params: [key, { encoding: 'base64', dataSlice: { offset: 0, length: 32 } }] }),
  () => ({ method: 'getSlot' }),
  (_, slot) => ({ method: 'getBlockTime', params: [slot] }),
  (key) => ({ method: 'getMultipleAccounts', params: [[key, key], { encoding: 'jsonParsed' }] }),
  (key, slot) => ({ method: 'getSignaturesForAddress', params: [key, { limit: 10, minContextSlot: slot }] }),
  () => ({ method: 'getLatestBlockhash', params: [{ commitment: 'finalized' }] }),
  (key) => ({ method: 'getTokenAccountsByOwner', params: [key, { programId: KEYS[1] }, { encoding: 'jsonParsed' }] }),
];

const bodyOf = (index: number): unknown =>
  BODIES[index % BODIES.length]?.(KEYS[index % KEYS.length] ?? '', 250_000_000 + index);

/** A `.jsonrpc` file of `count` requests. With `named`, each tenth has a name, and the one behind it reads its response. */
export function requestFile(count: number, named: boolean): string {
  const blocks: string[] = named ? ['@slot = 250000000\n'] : [];
  for (let index = 0; index < count; index++) {
    const name = named && index % 10 === 0 ? `# @name request${index}\n` : '';
    const check = named && index % 10 === 1 ? `?? result != {{request${index - 1}.result}}\n` : '';
    blocks.push(`### Request ${index}\n${name}${JSON.stringify(bodyOf(index))}\n${check}`);
  }
  return blocks.join('\n');
}

/** The same requests as one JSON array, which is what a JSON editor checks. */
export function requestArray(count: number): string {
  const bodies = Array.from({ length: count }, (_, index) => `  ${JSON.stringify(bodyOf(index))}`);
  return `[\n${bodies.join(',\n')}\n]\n`;
}

/** The same requests as a `.http` file. */
export function httpFile(count: number): string {
  const head = 'POST https://127.0.0.1:8899/\nContent-Type: application/json\n\n';
  const blocks = Array.from(
    { length: count },
    (_, index) => `### Request ${index}\n${head}${JSON.stringify(bodyOf(index))}\n`,
  );
  return blocks.join('\n');
}
