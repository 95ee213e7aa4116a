// Token-2022's instructions that belong to an extension, as far as `jsonParsed` does not show them as their tables say.
import { tokenAmount } from './tokenAmount';
import { proofAccounts } from './parsedConfidential';
import type { ParsedCursor, ParsedInstruction } from './parsedCursor';
import { parsedRows, readValued, type ReadShape } from './parsedLayout';
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

const POINTERS = ['TransferHook', 'MetadataPointer', 'GroupPointer', 'GroupMemberPointer'];

/** By name. */
export const EXTENSION_READERS: Readonly<Record<string, ReadShape>> = {
  initializeTransferFeeConfig: readValued,
  transferCheckedWithFee: withFee,
  withdrawWithheldTokensFromAccounts: withdrawFromAccounts,
  setTransferFee,
  ...Object.fromEntries(
    POINTERS.flatMap((name) => [`initialize${name}`, `update${name}`]).map((name) => [name, readValued]),
  ),
  permissionedConfidentialBurn,
};

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
