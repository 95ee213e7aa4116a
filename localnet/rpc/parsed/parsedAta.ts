// Associated token account instructions as `jsonParsed` shows them.
import { NotParsed, type ParsedCursor, type ParsedInstruction } from './parsedCursor';

/** No data at all is the oldest form of `create`. */
export function parseAssociatedToken(cursor: ParsedCursor): ParsedInstruction {
  const kind = cursor.rest === 0 ? 0 : cursor.u8();
  switch (kind) {
    case 0:
    case 1:
      return {
        type: kind === 0 ? 'create' : 'createIdempotent',
        info: {
          source: cursor.account(0),
          account: cursor.account(1),
          wallet: cursor.account(2),
          mint: cursor.account(3),
          systemProgram: cursor.account(4),
          tokenProgram: cursor.account(5),
        },
      };
    case 2:
      return {
        type: 'recoverNested',
        info: {
          nestedSource: cursor.account(0),
          nestedMint: cursor.account(1),
          destination: cursor.account(2),
          nestedOwner: cursor.account(3),
          ownerMint: cursor.account(4),
          wallet: cursor.account(5),
          tokenProgram: cursor.account(6),
        },
      };
    default:
      throw new NotParsed();
  }
}
