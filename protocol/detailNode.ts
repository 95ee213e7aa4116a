// A decoded value as a tree for people, as pages draw it.

/** A value with its parts. Texts are from outside and are shown as text. */
export interface DetailNode {
  readonly name: string;
  readonly text: string;
  /** A public key or a signature, to be watched or opened. */
  readonly address?: string;
  /** The program (base58) whose IDL is missing for a better decoding. */
  readonly idl?: string;
  /** The value is a guess at the bytes' meaning. */
  readonly isGuess?: boolean;
  readonly parts?: readonly DetailNode[];
}
