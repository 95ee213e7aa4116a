// Units of decoded numbers.

/**
 * `tokens`: raw units; without `decimals` the mint's are not known. `amount`: as an IDL says, its `symbol` from outside.
 * `unixTime`: seconds.
 */
export type DecodedUnit =
  | { readonly kind: 'tokens'; readonly decimals?: number; readonly mint?: string }
  | { readonly kind: 'amount'; readonly decimals: number; readonly symbol?: string }
  | {
      readonly kind:
        | 'lamports'
        | 'microLamports'
        | 'slot'
        | 'epoch'
        | 'unixTime'
        | 'basisPoints'
        | 'percent'
        | 'bytes'
        | 'computeUnits';
    };
