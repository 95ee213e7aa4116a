// The reads of another endpoint that the local service may request from its parent process: a closed list.
// Sent over Node's IPC, without URLs or keys.

/** `certificate` and `rent` say what kind of chain it is: whether it runs Alpenglow, and what accounts have to hold. */
export type SourceQuestion = { readonly ask: 'slot' | 'certificate' | 'rent' } | (ListQuestion & AsOf);

type ListQuestion =
  | { readonly ask: 'accounts'; readonly addresses: readonly string[] }
  /** Every account of a program; `filters` is the JSON text of getProgramAccounts' filters. */
  | { readonly ask: 'program'; readonly address: string; readonly filters: string | undefined }
  /** Every token account that `owner` has of a token program. */
  | { readonly ask: 'tokens'; readonly owner: string; readonly program: string };

/** If given, the answer must be of this slot or a later one. */
interface AsOf {
  readonly minSlot: number | undefined;
}

/** The JSON text of an answer's `result`, or an error message. */
export type SourceAnswer =
  | { readonly ok: true; readonly result: string }
  | { readonly ok: false; readonly message: string };

/** Reads from another endpoint. Never rejects. */
export type SourceReader = (question: SourceQuestion, signal: AbortSignal) => Promise<SourceAnswer>;

/** Addresses of one question, as many as a node answers for. */
const MAX_ADDRESSES = 100;

interface AskedQuestion {
  readonly id: number;
  readonly question: SourceQuestion;
}

/** Parses a message of the service; `undefined` if it is not a question. */
export function readQuestion(message: unknown): AskedQuestion | undefined {
  const id = field(message, 'source');
  const asked = field(message, 'question');
  const question = typeof id === 'number' ? questionOf(asked) : undefined;
  return question === undefined || typeof id !== 'number' ? undefined : { id, question };
}

/** A question of the closed list; `undefined` for anything else. */
export function questionOf(asked: unknown): SourceQuestion | undefined {
  const text = (name: string): string | undefined => {
    const value = field(asked, name);
    return typeof value === 'string' ? value : undefined;
  };
  const given = field(asked, 'minSlot');
  const minSlot = typeof given === 'number' && Number.isSafeInteger(given) ? given : undefined;
  if (minSlot !== given) return undefined;
  const ask = field(asked, 'ask');
  switch (ask) {
    case 'slot':
    case 'certificate':
    case 'rent':
      return { ask };
    case 'accounts': {
      const addresses = field(asked, 'addresses');
      const isList = Array.isArray(addresses) && addresses.length <= MAX_ADDRESSES;
      const all: readonly unknown[] = isList ? addresses : [];
      const texts = all.filter((address) => typeof address === 'string');
      return texts.length === 0 || texts.length < all.length
        ? undefined
        : { ask: 'accounts', addresses: texts, minSlot };
    }
    case 'program': {
      const [address, filters] = [text('address'), text('filters')];
      if (address === undefined || filters !== field(asked, 'filters')) return undefined;
      return { ask: 'program', address, filters, minSlot };
    }
    case 'tokens': {
      const [owner, program] = [text('owner'), text('program')];
      return owner === undefined || program === undefined ? undefined : { ask: 'tokens', owner, program, minSlot };
    }
    default:
      return undefined;
  }
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
