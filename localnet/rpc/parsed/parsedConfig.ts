// Accounts of the config program as `jsonParsed` shows them: the stake configuration and what validators say of
// themselves.
import { isDeeper, type JsonValue } from '../../../core/solana/json/json';
import type { WireJson } from '../../api';
import { STAKE_CONFIG } from '../../ledger/accounts/addresses';
import type { AgaveLine } from '../../ledger/types';
import { Fields, NotParsed, type Parsed } from './parsedFields';

/** The first key of an account in which a validator describes itself. */
const VALIDATOR_INFO = 'Va1idator1nfo111111111111111111111111111111';

/** Newer nodes leave the stake configuration, which nothing reads any more, as bytes. */
export function parseConfig(address: string, data: Uint8Array, line: AgaveLine): Parsed {
  const fields = new Fields(data);
  const keys = fields.list(fields.varint(), 33, () => ({ pubkey: fields.key(), signer: fields.bool() }));
  if (address === STAKE_CONFIG && line === '3.1')
    return { type: 'stakeConfig', info: { warmupCooldownRate: fields.f64(), slashPenalty: fields.u8() } };
  if (keys[0]?.pubkey !== VALIDATOR_INFO) throw new NotParsed();
  return { type: 'validatorInfo', info: { keys, configData: jsonOf(fields.text(8)) } };
}

/** Nodes read JSON no deeper (serde_json, its recursion limit). */
const MAX_LEVELS = 127;

function jsonOf(text: string): WireJson {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (isDeeper(value, MAX_LEVELS)) throw new NotParsed();
    // JSON's own values are among those that can be written.
    return value as WireJson;
  } catch (error) {
    if (error instanceof SyntaxError) throw new NotParsed();
    throw error;
  }
}
