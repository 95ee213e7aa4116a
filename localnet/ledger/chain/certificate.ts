// The certificate of the genesis of Alpenglow, as getAgGenesisCert answers it: of the right shape, and signed by nobody.

/** Bytes are lists of numbers. */
export interface GenesisCertificate {
  readonly block: { readonly blockId: readonly number[]; readonly slot: number };
  /** `bitmap` has a bit for each validator that signed, by the rank of its stake. */
  readonly signature: { readonly bitmap: readonly number[]; readonly signature: readonly number[] };
}

/** Of 32 bytes: a signature has 192. */
const SIGNATURE_PARTS = [0, 1, 2, 3, 4, 5];
/** The ledger has one validator. */
const BITMAP = [1];

/** `slot` is the last one before the ledger's first block; `bytes` gives 32 bytes for a name. */
export function genesisCertificate(slot: number, bytes: (name: string) => Uint8Array): GenesisCertificate {
  const signature = SIGNATURE_PARTS.flatMap((part) => [...bytes(`genesis-certificate:${part}`)]);
  return {
    block: { blockId: [...bytes('genesis-block')], slot },
    signature: { bitmap: BITMAP, signature },
  };
}
