// Accounts of the upgradeable loader as `jsonParsed` shows them.
import { LOADER_ACCOUNTS } from '../../../core/solana/layouts/loaderAccounts';
import { WireText, type WireJson } from '../../api';
import { Fields, NotParsed, type Parsed } from './parsedFields';
import { parsedRows } from './parsedLayout';

/** Bytes that are turned into base64 at once: a program is megabytes long. A multiple of three. */
const BASE64_PIECE = 96 * 1024;

/** Without an authority its 32 bytes still precede the code, and are shown with it. */
export function parseLoaderAccount(data: Uint8Array): Parsed {
  const fields = new Fields(data);
  const layout = LOADER_ACCOUNTS[fields.u32()];
  if (layout === undefined) throw new NotParsed();
  const { name, rows, hasCode } = layout;
  if (rows.length === 0) return { type: name };
  return { type: name, info: { ...parsedRows(fields, rows), ...(hasCode === true && { data: rest(fields) }) } };
}

function rest(fields: Fields): WireJson {
  const bytes = fields.bytes(fields.rest);
  const text = new WireText(function* () {
    for (let at = 0; at < bytes.length; at += BASE64_PIECE)
      yield Buffer.from(bytes.subarray(at, at + BASE64_PIECE)).toString('base64');
  });
  return [text, 'base64'];
}
