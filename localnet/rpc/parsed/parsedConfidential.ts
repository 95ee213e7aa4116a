// Token-2022's instructions of confidential transfers, their fees, and confidential minting and burning, as `jsonParsed`
// shows them. Keys, ciphertexts and encrypted balances are base64.
import { bytes, flag, optionalPubkey, u64, type LayoutRow, type LayoutType } from '../../../core/solana/layouts/layout';
import { family, type ParsedCursor, type Info, type ParsedInstruction, type ReadInstruction } from './parsedCursor';
import { instruction, parsedRows } from './parsedLayout';
import { signer, withoutNulls } from './parsedTokenParts';

/** Bytes of a public ElGamal key, of a ciphertext of it, and of a balance encrypted for its owner alone. */
const ELGAMAL_KEY = 32;
const CIPHERTEXT = 64;
const ENCRYPTED_BALANCE = 36;

const owned = (type: string, subject: string, ...rows: readonly LayoutRow[]): ReadInstruction =>
  instruction(type, `${subject} owner signer…`, ...rows);

interface ProofList {
  /** Index of the first account after the named ones. */
  readonly from: number;
  /** Accounts at the end that are no proof's. */
  readonly kept: number;
  /** In the order of the data. */
  readonly proofs: readonly string[];
  /** In the order of the accounts, if it is another one. */
  readonly inOrder?: readonly string[] | undefined;
  /** Ends the names of the accounts. */
  readonly suffix: string;
}

/**
 * The proofs of an instruction: each is in another instruction, given by its offset, or in an account. `next` is the index
 * of the account after them. The data does not say more, so each account before the last `kept` ones is taken for a
 * proof's rather than a signer's.
 */
export function proofAccounts(
  c: ParsedCursor,
  { from, kept, proofs, inOrder = proofs, suffix }: ProofList,
): { readonly info: Info; readonly next: number } {
  const offsets = new Map(proofs.map((name) => [name, c.i8()]));
  const info: { [key: string]: Info[string] } = Object.fromEntries(
    Array.from(offsets, ([name, offset]) => [`${name}ProofInstructionOffset`, offset]),
  );
  let next = from;
  const take = (name: string): void => {
    info[name] = c.account(next);
    next++;
  };
  const onlyWithoutOffset = suffix === 'ContextStateAccount';
  if ([...offsets.values()].some((offset) => offset !== 0)) take('instructionsSysvar');
  for (const name of inOrder)
    if (next < c.accounts.length - kept && !(onlyWithoutOffset && offsets.get(name) !== 0))
      take(`${name}Proof${suffix}`);
  return { info, next };
}

/** How one proof is named if it is in an account, and whether a record account may be named otherwise. */
interface SingleProof {
  readonly inAccount: string;
  readonly withRecord: boolean;
}

/** One proof: in an account, or in another instruction, with a record account where one more account is named. */
function singleProof(
  c: ParsedCursor,
  at: number,
  { inAccount, withRecord }: SingleProof,
): { readonly info: Info; readonly next: number } {
  const proofInstructionOffset = c.i8();
  if (proofInstructionOffset === 0) {
    return { info: { proofInstructionOffset, [inAccount]: c.account(at) }, next: at + 1 };
  }
  const info = { proofInstructionOffset, instructionsSysvar: c.account(at) };
  if (!withRecord || c.accounts.length <= at + 2) return { info, next: at + 1 };
  return { info: { ...info, recordAccount: c.account(at + 1) }, next: at + 2 };
}

/** An instruction with one proof between the accounts that it names and its owner. */
const proven =
  (type: string, names: readonly string[], proof: SingleProof, ...rows: readonly LayoutRow[]): ReadInstruction =>
  (c) => {
    const data = parsedRows(c, rows);
    const { info, next } = singleProof(c, names.length, proof);
    return { type, info: { ...c.named(...names), ...data, ...info, ...signer(c, next, 'owner') } };
  };

/** Begins an extension of a mint; without an authority that member is left out. */
const begun =
  (type: string, ...rows: readonly LayoutRow[]): ReadInstruction =>
  (c) => {
    const { authority = null, ...data } = parsedRows(c, [['authority', optionalPubkey], ...rows]);
    return { type, info: { ...c.named('mint'), ...data, ...withoutNulls({ authority }) } };
  };

/** Moves an encrypted amount, which is there twice, for the auditor too; `balance` is what is left. */
const moved =
  (
    type: string,
    balance: string,
    names: readonly string[],
    proofs: Pick<ProofList, 'proofs' | 'inOrder' | 'suffix'>,
  ): ReadInstruction =>
  (c) => {
    const encrypted = c.base64(ENCRYPTED_BALANCE);
    c.bytes(2 * CIPHERTEXT);
    const { info, next } = proofAccounts(c, { from: names.length, kept: 1, ...proofs });
    return { type, info: { ...c.named(...names), [balance]: encrypted, ...info, ...signer(c, next, 'owner') } };
  };

/** `proofs` in the order of the data, then in that of the accounts. */
const transfer = (type: string, proofs: readonly string[], inOrder = proofs): ReadInstruction =>
  moved(type, 'newSourceDecryptableAvailableBalance', ['source', 'mint', 'destination'], {
    proofs,
    inOrder,
    suffix: 'Account',
  });

const IN_CONTEXT: SingleProof = { inAccount: 'proofContextStateAccount', withRecord: true };
const OPTIONAL_ELGAMAL_KEY: LayoutType = { kind: 'bytes', count: ELGAMAL_KEY, isZeroNone: true };
const AUDITOR: readonly LayoutRow[] = [
  ['autoApproveNewAccounts', flag],
  ['auditorElGamalPubkey', OPTIONAL_ELGAMAL_KEY],
];

/** The accounts of a deposit or a withdrawal, which older nodes named as those of a transfer. */
const holding = (c: ParsedCursor): { readonly info: Info; readonly next: number } =>
  c.line === '3.1'
    ? { info: c.named('source', 'destination', 'mint'), next: 3 }
    : { info: c.named('account', 'mint'), next: 2 };

export const parseConfidentialTransfer = family([
  begun('initializeConfidentialTransferMint', ...AUDITOR),
  instruction('updateConfidentialTransferMint', 'mint confidentialTransferMintAuthority', ...AUDITOR),
  proven(
    'configureConfidentialTransferAccount',
    ['account', 'mint'],
    IN_CONTEXT,
    ['decryptableZeroBalance', bytes(ENCRYPTED_BALANCE)],
    ['maximumPendingBalanceCreditCounter', u64()],
  ),
  instruction('approveConfidentialTransferAccount', 'account mint confidentialTransferAuditorAuthority'),
  proven('emptyConfidentialTransferAccount', ['account'], IN_CONTEXT),
  (c) => ({
    type: 'depositConfidentialTransfer',
    info: {
      ...holding(c).info,
      amount: c.u64(),
      decimals: c.u8(),
      ...signer(c, holding(c).next, 'owner'),
    },
  }),
  (c) => {
    const [amount, decimals] = [c.u64(), c.u8()];
    const newDecryptableAvailableBalance = c.base64(ENCRYPTED_BALANCE);
    const { info, next } = proofAccounts(c, {
      from: holding(c).next,
      kept: 1,
      proofs: ['equality', 'range'],
      suffix: 'Account',
    });
    return {
      type: 'withdrawConfidentialTransfer',
      info: {
        ...holding(c).info,
        amount,
        decimals,
        newDecryptableAvailableBalance,
        ...info,
        ...signer(c, next, 'owner'),
      },
    };
  },
  transfer('confidentialTransfer', ['equality', 'ciphertextValidity', 'range']),
  owned(
    'applyPendingConfidentialTransferBalance',
    'account',
    ['expectedPendingBalanceCreditCounter', u64()],
    ['newDecryptableAvailableBalance', bytes(ENCRYPTED_BALANCE)],
  ),
  ...['ConfidentialCredits', 'NonConfidentialCredits'].flatMap((credits) =>
    ['enable', 'disable'].map((verb) => owned(`${verb}ConfidentialTransfer${credits}`, 'account')),
  ),
  transfer(
    'confidentialTransferWithFee',
    ['equality', 'transferAmountCiphertextValidity', 'feeSigma', 'feeCiphertextValidity', 'range'],
    ['equality', 'transferAmountCiphertextValidity', 'feeCiphertextValidity', 'feeSigma', 'range'],
  ),
  instruction('configureConfidentialAccountWithRegistry', 'account mint registry'),
]);

export const parseConfidentialTransferFee = family([
  begun('initializeConfidentialTransferFeeConfig', ['withdrawWithheldAuthorityElGamalPubkey', OPTIONAL_ELGAMAL_KEY]),
  (c) => withdrawWithheld(c, 'FromMint', c.accounts.length),
  (c) => withdrawWithheld(c, 'FromAccounts', c.accounts.length - c.u8()),
  instruction('harvestWithheldConfidentialTransferTokensToMint', 'mint sourceAccount…'),
  owned('enableConfidentialTransferFeeHarvestToMint', 'account'),
  owned('disableConfidentialTransferFeeHarvestToMint', 'account'),
]);

/** The accounts from `sources` on are those whose fees are withdrawn. */
function withdrawWithheld(c: ParsedCursor, from: 'FromMint' | 'FromAccounts', sources: number): ParsedInstruction {
  const { info, next } = singleProof(c, 2, { ...IN_CONTEXT, withRecord: false });
  return {
    type: `withdrawWithheldConfidentialTransferTokens${from}`,
    info: {
      ...c.named('mint', 'feeRecipient'),
      ...info,
      newDecryptableAvailableBalance: c.base64(ENCRYPTED_BALANCE),
      ...(from === 'FromMint' ? {} : { sourceAccounts: c.accounts.slice(sources) }),
      ...signer(c, next, 'withdrawWithheldAuthority', { end: sources }),
    },
  };
}

const supplyChange = (type: string, balance: string): ReadInstruction =>
  moved(type, balance, ['destination', 'mint'], {
    proofs: ['equality', 'ciphertextValidity', 'range'],
    suffix: 'RecordAccount',
  });

export const parseConfidentialMintBurn = family([
  instruction(
    'initializeConfidentialMintBurnMint',
    'mint',
    ['supplyElGamalPubkey', bytes(ELGAMAL_KEY)],
    ['decryptableSupply', bytes(ENCRYPTED_BALANCE)],
  ),
  proven('rotateConfidentialMintBurnSupplyElGamalPubkey', ['mint'], { inAccount: 'proofAccount', withRecord: false }, [
    'newSupplyElGamalPubkey',
    bytes(ELGAMAL_KEY),
  ]),
  owned('updateConfidentialMintBurnDecryptableSupply', 'mint', ['newDecryptableSupply', bytes(ENCRYPTED_BALANCE)]),
  supplyChange('confidentialMint', 'newDecryptableSupply'),
  supplyChange('confidentialBurn', 'newDecryptableAvailableBalance'),
  owned('applyPendingBurn', 'mint'),
]);
