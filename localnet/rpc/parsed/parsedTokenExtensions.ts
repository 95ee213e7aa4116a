// Token-2022's instructions that belong to an extension, as `jsonParsed` shows them; the confidential ones are elsewhere.
// The first byte after the family's number selects the instruction.
import {
  f64,
  i16,
  i64,
  optionalPubkey,
  pubkey,
  quotedNumber,
  wordByNumber,
  type LayoutRow,
} from '../../../core/solana/layouts/layout';
import { shape } from '../../../core/solana/layouts/shape';
import { CHECKED, FEE_EXTENSION, RAW } from '../../../core/solana/layouts/tokenPrograms';
import { tokenAmount } from './tokenAmount';
import { proofAccounts } from './parsedConfidential';
import { family, type ParsedCursor, type ParsedInstruction, type ReadInstruction } from './parsedCursor';
import { instruction, readersOf, parsedRows, readValued, type ReadShape } from './parsedLayout';
import { signer } from './parsedTokenParts';

const withFee: ReadShape = (c, { name }) => {
  const [amount, decimals, fee] = [c.u64(), c.u8(), c.u64()];
  return {
    type: name,
    info: {
      ...c.named('source', 'mint', 'destination'),
      tokenAmount: tokenAmount(amount, decimals),
      feeAmount: tokenAmount(fee, decimals),
      ...signer(c, 3, 'authority'),
    },
  };
};

const withdrawFromAccounts: ReadShape = (c, { name }) => {
  const sources = c.accounts.length - c.u8();
  return {
    type: name,
    info: {
      ...c.named('mint', 'feeRecipient'),
      sourceAccounts: c.accounts.slice(sources),
      ...signer(c, 2, 'withdrawWithheldAuthority', { end: sources }),
    },
  };
};

/** The multisig's name is spelled as nodes spell it. */
const setTransferFee: ReadShape = (c, { name, rows }) => ({
  type: name,
  info: {
    ...c.named('mint'),
    ...parsedRows(c, rows),
    ...signer(c, 1, 'transferFeeConfigAuthority', { multisigName: 'multisigtransferFeeConfigAuthority' }),
  },
});

export const parseTransferFee = family(
  readersOf(FEE_EXTENSION, {
    initializeTransferFeeConfig: readValued,
    transferCheckedWithFee: withFee,
    withdrawWithheldTokensFromAccounts: withdrawFromAccounts,
    setTransferFee,
  }),
);

const STATE: LayoutRow = ['accountState', wordByNumber('uninitialized', 'initialized', 'frozen')];

export const parseDefaultAccountState = family([
  instruction('initializeDefaultAccountState', 'mint', STATE),
  instruction('updateDefaultAccountState', 'mint freezeAuthority signer…', STATE),
]);

export const parseMemoTransfer = family([
  instruction('enableRequiredMemoTransfers', 'account owner signer…'),
  instruction('disableRequiredMemoTransfers', 'account owner signer…'),
]);

export const parseCpiGuard = family([
  instruction('enableCpiGuard', 'account owner signer…'),
  instruction('disableCpiGuard', 'account owner signer…'),
]);

export const parseInterestBearing = family([
  instruction('initializeInterestBearingConfig', 'mint', ['rateAuthority', optionalPubkey], ['rate', i16()]),
  instruction('updateInterestBearingConfigRate', 'mint rateAuthority signer…', ['newRate', i16()]),
]);

/** A mint that points at something: set with an authority, then changed by it. */
export const parsePointer = (name: string, target: string): ReadInstruction => {
  const address: LayoutRow = [target, optionalPubkey];
  const shapes = [
    shape(`initialize${name}`, 'mint', ['authority', optionalPubkey], address),
    shape(`update${name}`, 'mint authority signer…', address),
  ];
  return family(readersOf(shapes, {}, readValued));
};

export const parseScaledUiAmount = family([
  instruction(
    'initializeScaledUiAmountConfig',
    'mint',
    ['authority', optionalPubkey],
    ['multiplier', quotedNumber(f64)],
  ),
  instruction(
    'updateMultiplier',
    'mint authority signer…',
    ['newMultiplier', quotedNumber(f64)],
    ['newMultiplierTimestamp', i64()],
  ),
]);

export const parsePausable = family([
  instruction('initializePausableConfig', 'mint', ['authority', optionalPubkey]),
  instruction('pause', 'mint authority signer…'),
  instruction('resume', 'mint authority signer…'),
]);

const BURN_ROLES = 'account mint permissionedBurnAuthority authority signer…';

export const parsePermissionedBurn = family([
  instruction('initializePermissionedBurnConfig', 'mint', ['authority', pubkey]),
  instruction('permissionedBurn', BURN_ROLES, RAW),
  instruction('permissionedBurnChecked', BURN_ROLES, ...CHECKED),
  permissionedConfidentialBurn,
]);

/** The accounts of the proofs are between the mint and the two signers. */
function permissionedConfidentialBurn(c: ParsedCursor): ParsedInstruction {
  const newDecryptableAvailableBalance = c.base64(36);
  c.bytes(128);
  const proofs = proofAccounts(c, {
    from: 2,
    kept: 2,
    proofs: ['equality', 'ciphertextValidity', 'range'],
    suffix: 'ContextStateAccount',
  });
  return {
    type: 'permissionedConfidentialBurn',
    info: {
      ...c.named('account', 'mint'),
      newDecryptableAvailableBalance,
      ...proofs.info,
      permissionedBurnAuthority: c.account(proofs.next),
      ...signer(c, proofs.next + 1, 'authority'),
    },
  };
}
