// The diagnostics, as a table: code, severity, what it says and what to do. docs/diagnostics.md is made from it.

export type Severity = 'error' | 'warning' | 'information' | 'hint';

export interface CodeShape {
  readonly severity: Severity;
  readonly group: 'syntax' | 'names' | 'method' | 'params' | 'values' | 'transactions' | 'secrets';
  /** The problem and the next step, in markdown. */
  readonly doc: string;
}

const error = (group: CodeShape['group'], doc: string): CodeShape => ({ severity: 'error', group, doc });
const warning = (group: CodeShape['group'], doc: string): CodeShape => ({ severity: 'warning', group, doc });
const information = (group: CodeShape['group'], doc: string): CodeShape => ({ severity: 'information', group, doc });
const hint = (group: CodeShape['group'], doc: string): CodeShape => ({ severity: 'hint', group, doc });

export const CODES = {
  'json-syntax': error(
    'syntax',
    'The body is not valid JSON from here on. Comments and trailing commas are allowed in it.',
  ),
  'second-body': error('syntax', 'A request has one body. Put a line of `###` before the second one.'),
  'stray-text': error(
    'syntax',
    'The text does not belong in a request at this place. Make it a comment, or begin a request.',
  ),
  'bad-directive': error('syntax', 'The directive does not take this text, or does not belong here.'),
  'bad-assertion': error(
    'syntax',
    'An assertion is written `?? PATH OPERATOR [VALUE]`; the value is JSON or `{{…}}`, a range begins with its lower end, and a list is not empty.',
  ),
  'bad-redirect': error(
    'syntax',
    'A response is saved with `>> file`, or `>>! file` to overwrite, inside the workspace; never through a link, as a dot-file, in a dot-folder, under a name with a colon, or under the name of a file that is run or configures a tool.',
  ),
  'import-failed': error('syntax', 'The imported file is not there or lies outside the workspace.'),
  'unknown-directive': warning('syntax', 'There is no directive of this name; the line is read as a comment.'),
  'duplicate-member': error(
    'syntax',
    'The object has this member already. Readers of JSON differ in which of the two counts; many take the last one.',
  ),
  'trailing-comma': hint(
    'syntax',
    'JSON has no comma after the last element. It is left out when the request is sent.',
  ),
  'bare-variable': hint('syntax', 'Write the variable in quotes: alone in a string it keeps its type.'),
  'duplicate-name': error('names', 'Another request of the file has this name; references mean the first one.'),
  'duplicate-variable': hint(
    'names',
    'The same place defines this name twice: of two variables the later counts, of two captures the first.',
  ),
  'useless-silence': hint(
    'names',
    '`@silence` has no reason behind the code, or no effect: nothing of that code is found here, or it cannot be silenced because it stops a run or is `secret-in-file`.',
  ),
  'ambiguous-name': warning(
    'names',
    'A variable has the name of this request: `{{x}}` is the variable, `{{x.result}}` reads the response. Rename one of them.',
  ),
  'duplicate-id': error('names', 'Another request of the batch has this id. The number 1 and the string "1" differ.'),
  'unresolved-variable': error(
    'names',
    'Nothing gives this reference a value: no variable, prompt, request or helper, and no row of the `@foreach`.',
  ),
  'reference-cycle': error('names', 'The reference leads back to itself.'),
  'unknown-path': warning(
    'names',
    'The method answers no such value: a member is misspelt, a request of a batch has another id, only a stream has messages, or the value is of another type.',
  ),
  'unknown-endpoint': warning('names', 'No endpoint profile has this name.'),
  'unused-variable': hint('names', 'Nothing in the file uses the variable.'),
  'unknown-method': error('method', 'Neither the service nor a standard node has a method of this name.'),
  'deprecated-method': error('method', 'Nodes no longer serve this method.'),
  'wrong-transport': error('method', 'The method, or a batch, is not served on this transport.'),
  'unstable-method': information('method', 'The method may change or be missing on a node.'),
  'method-pack': hint(
    'method',
    'Only the providers of a method pack know it. Name the pack where you use one: `# @pack helius` at the top of the file, the setting `solanaRpc.packs`, or `packs` in `solana-rpc.json`.',
  ),
  'newer-node': warning(
    'method',
    'The endpoint named an older release of Agave when `getVersion` was last sent to it: this method or option came later.',
  ),
  'params-by-name': error('params', 'Nodes take parameters by position only: write an array.'),
  'missing-param': error('params', 'A required parameter is left out.'),
  'too-many-params': error('params', 'The method takes fewer parameters.'),
  'too-many-items': error('params', 'The array holds more elements than the method takes.'),
  'missing-field': error('params', 'A required member is left out.'),
  'conflicting-fields': error('params', 'These members exclude each other.'),
  'filter-shape': error('params', 'The filter needs exactly one of its kinds.'),
  'unknown-field': warning(
    'params',
    'Nodes ignore a member they do not know, without a word; in a filter, where they choose by its name, they refuse it.',
  ),
  'no-effect': warning('params', 'The member has no effect together with the others.'),
  'empty-answer': warning(
    'params',
    'The request is valid, and nothing can come back: no account or slot fits all of it.',
  ),
  'wrong-type': error('values', 'The value has another JSON type than the method takes.'),
  'enum-value': error('values', 'Unknown value.'),
  'encoding-unsupported': error('values', 'The encoding exists, but this method does not offer it.'),
  'commitment-unsupported': error('values', 'The method refuses this commitment level.'),
  'confirmed-commitment': hint(
    'values',
    '`confirmed` is the same slot as `finalized` since Alpenglow, and is to be removed in a later release. Shown in the first hundred blocks that have it; not where the endpoint has TowerBFT, as its genesis certificate said, and never by `solana-rpc check`.',
  ),
  'out-of-range': error('values', 'The value lies outside the bounds of the method.'),
  'not-base58': error('values', 'A character is outside the base58 alphabet: 0, O, I and l are not in it.'),
  'not-base64': error('values', 'The text is not base64 with padding.'),
  'wrong-length': error('values', 'A public key and a blockhash have 32 bytes, a signature 64.'),
  'wrong-account': warning('values', 'The address is known, and of another kind than the one that is due.'),
  'base58-limit': warning('values', 'Nodes write at most 128 bytes of account data as base58. Use base64 for more.'),
  'base58-bytes': warning(
    'values',
    'The text reads as a public key in base58, and the field takes base64: the bytes are others than those of the key.',
  ),
  'transaction-encoding': error('transactions', 'The transaction is written in another encoding than the config says.'),
  'transaction-unsigned': error('transactions', 'The transaction has no signature where one is needed.'),
  'transaction-too-large': warning(
    'transactions',
    'A transaction has at most 1,232 bytes, in version 1 at most 4,096, and 1,232 as base58.',
  ),
  'blockhash-expired': warning(
    'transactions',
    'The blockhash of the transaction is too old for the block height of an answer. Sign it again with a fresh one.',
  ),
  'sender-tip': warning(
    'transactions',
    'The sender wants a tip, and the transaction has no transfer of it to one of the sender’s accounts. It is sent all the same.',
  ),
  'swqos-settings': information('transactions', 'For priority landing set skipPreflight to true and maxRetries to 0.'),
  'base58-version': warning(
    'transactions',
    'Agave 4.3 and later refuse the encoding base58 together with maxSupportedTransactionVersion 1 or more. Use base64.',
  ),
  'legacy-only': warning(
    'transactions',
    'Below maxSupportedTransactionVersion 1 a version 1 transaction is answered with error -32015; one of them fails a whole block.',
  ),
  'transaction-malformed': error('transactions', 'The bytes begin as a version 1 transaction, and nodes refuse them.'),
  'empty-subscription': information('transactions', 'Without a filter the subscription is open, and nothing comes.'),
  'unbounded-scan': information(
    'transactions',
    'Without filters the response holds every account of the program, and a stream has what everybody does.',
  ),
  'secret-in-file': error('secrets', 'The file contains a key. Move it to secret storage and use a variable.'),
} as const satisfies Record<string, CodeShape>;

/** Describes the quick fixes of the codes that have some. */
export const FIXES: Readonly<Partial<Record<Code, string>>> = {
  'json-syntax':
    'double quotes around a word, or in place of others; `true`, `false` and `null` for their like; `//` in place of `#`; a line with `??` or `>>` goes behind the body, or the body is closed in front of it',
  'second-body': 'a new request begins there',
  'stray-text': 'a new request begins there, or the text becomes a comment, or goes',
  'bad-assertion': 'the operator that is meant by one of another tool, or the ends of a range exchanged',
  'unknown-directive': 'the nearest directives',
  'duplicate-member': 'the earlier member goes, or the later one',
  'trailing-comma': 'the comma goes; safe for the whole file',
  'bare-variable': 'quotes around it; safe for the whole file',
  'duplicate-name': 'a name that is free',
  'duplicate-variable': 'the line without effect goes',
  'useless-silence': 'the line goes, or the nearest codes',
  'ambiguous-name': 'a name that is free, wherever the response is read',
  'duplicate-id': 'an id that is free',
  'unresolved-variable': 'the nearest names, a new variable, or a question before the request is sent',
  'unknown-path': 'the nearest members of the answer',
  'unknown-endpoint': 'the nearest names of endpoints',
  'unused-variable': 'the line goes',
  'unknown-method': 'the nearest methods',
  'deprecated-method': 'the method that replaces it',
  'wrong-transport': 'the line that serves the request',
  'method-pack': 'the directive that names the pack, at the top of the file',
  'params-by-name': 'the same values by position, or as the first parameter; safe for the whole file',
  'missing-param': 'the parameters are put in, with a word in place of each value',
  'too-many-params': 'what is too much goes',
  'too-many-items': 'what is too much goes',
  'missing-field': 'the member with its default, where it has one',
  'conflicting-fields': 'the second member goes',
  'filter-shape': 'the second member goes, or its content is wrapped in `memcmp`',
  'unknown-field': 'the nearest member, or it goes',
  'no-effect': 'an encoding with which it has one, or the member goes',
  'empty-answer': 'the nearest value that accounts have, the ends of a range exchanged, or one of two filters goes',
  'wrong-type':
    'the number in place of its digits in a string, a list in place of its element or the reverse, an object around its member, parameters in each other’s place exchanged',
  'enum-value': 'the nearest values',
  'encoding-unsupported': 'the encodings of the method',
  'commitment-unsupported': 'the levels of the method',
  'confirmed-commitment': 'the level finalized',
  'out-of-range': 'the bound of the method',
  'wrong-account': 'the member that takes such an account, or the place where its address is',
  'base58-limit': 'the encoding base64, or as much as base58 carries',
  'base58-bytes': 'the member or the encoding for base58',
  'transaction-encoding': 'the config names the encoding of the text; safe for the whole file',
  'swqos-settings': 'the advised settings',
  'legacy-only': 'the setting',
  'base58-version': 'the encoding base64',
  'unbounded-scan': 'a filter by size to begin with',
  'secret-in-file': 'the key moves to secret storage',
};

export type Code = keyof typeof CODES;

/** Errors that stop a run before anything is sent; every other diagnostic is shown and the request goes out. */
export const STOPS_A_RUN: ReadonlySet<string> = new Set<Code>([
  'json-syntax',
  'stray-text',
  'second-body',
  'unresolved-variable',
  'reference-cycle',
  'import-failed',
  'bad-directive',
  'bad-assertion',
  'bad-redirect',
]);
