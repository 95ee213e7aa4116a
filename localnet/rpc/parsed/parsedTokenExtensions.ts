// Token-2022's instructions that belong to an extension, as `jsonParsed` shows them; the confidential ones are elsewhere.
// The first byte after the family's number selects the instruction.
import { tokenAmount } from './tokenAmount';
import { proofAccounts } from './parsedConfidential';
import { family, type ParsedCursor, type Info, type ParsedInstruction, type ReadInstruction } from './parsedCursor';
import { NotParsed } from './parsedFields';
import { checkedAmount, plainAmount, signer, unlessNull } from './parsedTokenParts';

/** An instruction on a mint or an account, signed by its authority, with nothing more to say. */
const signed =
  (type: string, subject: string, authority: string, read: (c: ParsedCursor) => Info = () => ({})): ReadInstruction =>
  (c) => ({ type, info: { ...c.named(subject), ...read(c), ...signer(c, 1, authority) } });

export const parseTransferFee = family([
  (c) => ({
    type: 'initializeTransferFeeConfig',
    info: {
      ...c.named('mint'),
      ...unlessNull('transferFeeConfigAuthority', c.optionalKey()),
      ...unlessNull('withdrawWithheldAuthority', c.optionalKey()),
      transferFeeBasisPoints: c.u16(),
      maximumFee: c.u64(),
    },
  }),
  (c) => {
    const [amount, decimals, fee] = [c.u64(), c.u8(), c.u64()];
    return {
      type: 'transferCheckedWithFee',
      info: {
        ...c.named('source', 'mint', 'destination'),
        tokenAmount: tokenAmount(amount, decimals),
        feeAmount: tokenAmount(fee, decimals),
        ...signer(c, 3, 'authority'),
      },
    };
  },
  (c) => ({
    type: 'withdrawWithheldTokensFromMint',
    info: { ...c.named('mint', 'feeRecipient'), ...signer(c, 2, 'withdrawWithheldAuthority') },
  }),
  (c) => {
    const sources = c.accounts.length - c.u8();
    return {
      type: 'withdrawWithheldTokensFromAccounts',
      info: {
        ...c.named('mint', 'feeRecipient'),
        sourceAccounts: c.accounts.slice(sources),
        ...signer(c, 2, 'withdrawWithheldAuthority', { end: sources }),
      },
    };
  },
  (c) => ({
    type: 'harvestWithheldTokensToMint',
    info: { ...c.named('mint'), sourceAccounts: c.accounts.slice(1) },
  }),
  (c) => ({
    type: 'setTransferFee',
    info: {
      ...c.named('mint'),
      transferFeeBasisPoints: c.u16(),
      maximumFee: c.u64(),
      // Spelled as nodes spell it.
      ...signer(c, 1, 'transferFeeConfigAuthority', { multisigName: 'multisigtransferFeeConfigAuthority' }),
    },
  }),
]);

const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'] as const;

function accountState(c: ParsedCursor): Info {
  const state = ACCOUNT_STATES[c.u8()];
  if (state === undefined) throw new NotParsed();
  return { accountState: state };
}

export const parseDefaultAccountState = family([
  (c) => ({ type: 'initializeDefaultAccountState', info: { ...c.named('mint'), ...accountState(c) } }),
  signed('updateDefaultAccountState', 'mint', 'freezeAuthority', accountState),
]);

export const parseMemoTransfer = family([
  signed('enableRequiredMemoTransfers', 'account', 'owner'),
  signed('disableRequiredMemoTransfers', 'account', 'owner'),
]);

export const parseCpiGuard = family([
  signed('enableCpiGuard', 'account', 'owner'),
  signed('disableCpiGuard', 'account', 'owner'),
]);

export const parseInterestBearing = family([
  (c) => ({
    type: 'initializeInterestBearingConfig',
    info: { ...c.named('mint'), rateAuthority: c.nonZeroKey(), rate: c.i16() },
  }),
  signed('updateInterestBearingConfigRate', 'mint', 'rateAuthority', (c) => ({ newRate: c.i16() })),
]);

/** A mint that points at something: set with an authority, then changed by it. */
export const parsePointer = (name: string, target: string): ReadInstruction => {
  const address = (c: ParsedCursor): Info => unlessNull(target, c.nonZeroKey());
  return family([
    (c) => ({
      type: `initialize${name}`,
      info: { ...c.named('mint'), ...unlessNull('authority', c.nonZeroKey()), ...address(c) },
    }),
    signed(`update${name}`, 'mint', 'authority', address),
  ]);
};

export const parseScaledUiAmount = family([
  (c) => ({
    type: 'initializeScaledUiAmountConfig',
    info: { ...c.named('mint'), authority: c.nonZeroKey(), multiplier: c.f64().toString() },
  }),
  signed('updateMultiplier', 'mint', 'authority', (c) => ({
    newMultiplier: c.f64().toString(),
    newMultiplierTimestamp: c.i64(),
  })),
]);

export const parsePausable = family([
  (c) => ({ type: 'initializePausableConfig', info: { ...c.named('mint'), authority: c.nonZeroKey() } }),
  signed('pause', 'mint', 'authority'),
  signed('resume', 'mint', 'authority'),
]);

const permissioned =
  (type: string, amount: (c: ParsedCursor) => Info): ReadInstruction =>
  (c) => ({
    type,
    info: { ...c.named('account', 'mint', 'permissionedBurnAuthority'), ...amount(c), ...signer(c, 3, 'authority') },
  });

export const parsePermissionedBurn = family([
  (c) => ({ type: 'initializePermissionedBurnConfig', info: { ...c.named('mint'), authority: c.key() } }),
  permissioned('permissionedBurn', plainAmount),
  permissioned('permissionedBurnChecked', checkedAmount),
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
