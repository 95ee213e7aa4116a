// The helpers that know Solana: amounts, derived addresses, conversions. Addresses may need the wallet, and a mint's
// program the endpoint; nothing here signs.
import { lookUp } from '../core/requests/document/variables/answer';
import { argumentText, NoValue } from '../core/requests/run/evaluate';
import { programNamed } from '../core/requests/methods/transactions/idlCall';
import { encodeBase58 } from '../core/solana/encoding/base58';
import { writtenBytes } from '../core/solana/json/writtenBytes';
import { numberOf, type JsonValue } from '../core/solana/json/json';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../core/solana/chain/addresses';
import { isPublicKey, keyBytes } from '../core/solana/chain/keys';
import { addressWithSeed, programAddress } from '../core/solana/chain/programAddress';
import { lamportsOfSol, offsetSeconds, quotedText, seedBytes, timeIn } from '../core/solana/wire/writtenArguments';
import { associatedAddress } from '../core/solana/wire/wellKnown';
import type { HelperUse } from '../core/requests/run/analyse';
import { ask, walletAddress, type HelperContext } from './outside';

/** The value of one of these helpers; undefined for every other one. Throws NoValue, HelperFailed, Cancelled. */
export async function solanaHelper(use: HelperUse, context: HelperContext): Promise<JsonValue | undefined> {
  const args = use.helper.args.map(({ text }) => text);
  const [first = '', second = '', third] = args;
  const address = (text: string): Promise<string> => addressOf(text, use, context);
  switch (use.helper.name) {
    case '$sol': {
      const lamports = lamportsOfSol(argumentText(first, use.home, context.world));
      if (lamports === undefined) throw new NoValue(`"${first.slice(0, 40)}" is not an amount in SOL.`);
      return numberOf(String(lamports));
    }
    case '$ata': {
      const [owner, mint] = [await address(first), await address(second)];
      const program = third === undefined ? await tokenProgramOf(mint, context) : await address(third);
      return associatedAddress(owner, mint, program) ?? unfit('The token account cannot be derived.');
    }
    case '$pda': {
      const program = await programOf(first, use, context);
      const seeds: Uint8Array[] = [];
      for (const text of args.slice(1)) seeds.push(await seedOf(text, use, context));
      return programAddress(seeds, program)?.address ?? unfit('No address can be derived of these seeds.');
    }
    case '$withSeed': {
      const [base, owner] = [await address(first), await address(third ?? '')];
      return addressWithSeed(base, quotedText(second) ?? second, owner) ?? unfit('A seed has at most 32 bytes.');
    }
    case '$base58':
      return encodeBase58(writtenBytes(first) ?? unfit('Bytes are written hex:…, base64:…, base58:… or text:….'));
    case '$datetime': {
      const offset = third === undefined && second === '' ? 0 : offsetSeconds(second);
      const seconds = context.ports.clock.unixSeconds() + (offset ?? unfit('An offset is written -1d, +90m or -5s.'));
      return timeIn(quotedText(first) ?? first, seconds) ?? unfit('The formats are iso, date, unix and unixms.');
    }
    default:
      return undefined;
  }
}

function unfit(message: string): never {
  throw new NoValue(message);
}

/** An address as it is written, the value of a variable, or the wallet's. */
async function addressOf(text: string, { home }: HelperUse, context: HelperContext): Promise<string> {
  if (text === '$wallet') return walletAddress(context);
  const value = argumentText(text, home, context.world);
  return isPublicKey(value) ? value : unfit(`"${text.slice(0, 44)}" is not an address.`);
}

/** An address, or the name of an IDL. */
async function programOf(text: string, use: HelperUse, context: HelperContext): Promise<string> {
  const value = argumentText(text, use.home, context.world);
  if (isPublicKey(value)) return value;
  const programs = await context.ports.programs?.(context.endpoint);
  const known = programs === undefined ? undefined : programNamed(programs, value);
  return known?.address ?? unfit(`"${text.slice(0, 44)}" is neither an address nor the name of an IDL.`);
}

async function seedOf(text: string, use: HelperUse, context: HelperContext): Promise<Uint8Array> {
  const value = text === '$wallet' ? await walletAddress(context) : argumentText(text, use.home, context.world);
  return (isPublicKey(value) ? keyBytes(value) : seedBytes(value)) ?? unfit(`"${text.slice(0, 44)}" is not a seed.`);
}

/** The program that owns a mint: its token accounts have other addresses in each. */
async function tokenProgramOf(mint: string, context: HelperContext): Promise<string> {
  const config = `{"encoding":"base64","commitment":"${context.commitment()}"}`;
  const answer = await ask('getAccountInfo', `["${mint}",${config}]`, context);
  const owner = lookUp(answer, ['result', 'value', 'owner']);
  return owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM
    ? owner
    : unfit(`${mint} is not a mint at this endpoint.`);
}
