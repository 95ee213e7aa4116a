// The parsed form of a `.jsonrpc` text. Positions inside a block are offsets into the block's own text, so a block that
// only moved is reused as it is; only the document knows where each block is.
import type { Severity } from '../diagnostics/codes';
import type { Node } from 'jsonc-parser';
import type { PackId } from '../../service/providers/packIds';
import type { Sign } from './variables/arithmetic';
import type { JsonValue } from '../../solana/json/json';

/** Half-open range of UTF-16 offsets into `Block.text`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A word of the text with its place. */
export interface Token {
  readonly text: string;
  readonly span: Span;
}

/** `# @name value`; the span runs from "@" to the end of the value. */
export interface Directive {
  readonly name: Token;
  readonly value: Token;
  readonly span: Span;
}

/** `@name = value`. `json` is the value where it parses as JSON, else the text itself. */
export interface Variable {
  readonly name: Token;
  readonly value: Token;
  readonly json: JsonValue;
  readonly span: Span;
}

export type Transport = 'POST' | 'WS' | 'GRPC' | 'SWQOS';

/** `POST https://…`, `GRPC geyser.Geyser/Subscribe`. The alias WEBSOCKET is read as WS. */
export interface RequestLine {
  readonly transport: Transport;
  readonly keyword: Token;
  /** The URL as written; may hold `{{variables}}`. */
  readonly url?: Token;
  /** GRPC: `package.Service` and method name. */
  readonly service?: Token;
  readonly method?: Token;
  /** GRPC: what follows "?" after the method, as in a pasted URL. */
  readonly query?: Token;
  readonly span: Span;
}

export interface Header {
  readonly name: Token;
  readonly value: Token;
  readonly span: Span;
}

/** The JSON body: the text between its first and last bracket, never re-printed. */
export interface Body {
  readonly span: Span;
  readonly isBatch: boolean;
  /** False if the body is not JSONC; then a `json-syntax` problem marks where it stops being so. */
  readonly valid: boolean;
  /**
   * As long as `span`, unit for unit: comments and trailing commas are blanks, bare `{{x}}` are left as they are.
   * Once its references are replaced this is strict JSON with every number token as it was written.
   */
  readonly text: string;
  /** The value with `{{…}}` as text (a bare one too); undefined unless `valid`. Built on first use. */
  value(): JsonValue | undefined;
  /** The tree with offsets into `Block.text`; built on first use, since a faultless body needs none. */
  tree(): Node | undefined;
}

export type Operator =
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | 'between'
  | 'within'
  | 'exists'
  | 'isAbsent'
  | 'isNull'
  | 'isNumber'
  | 'isString'
  | 'isArray'
  | 'isObject'
  | 'isBoolean'
  | 'contains'
  | 'startsWith'
  | 'endsWith'
  | 'matches'
  | 'matchesSchema'
  | 'matchesSnapshot'
  | 'length';

/** One step of a path into a value: a member's name, or an element's index. */
export type PathStep = string | number;

/** `result.value[0].pubkey`; the root is the response. */
export interface Path {
  readonly text: string;
  readonly steps: readonly PathStep[];
  readonly span: Span;
}

/**
 * A value on the right of an operator: JSON, a duration with its unit, or a template: JSON text that holds `{{…}}`, to
 * be filled in as a body is and then parsed.
 */
export type AssertionValue =
  /** Of `matchesSchema`: the path of a file. */
  | { readonly kind: 'file'; readonly path: string; readonly span: Span }
  | { readonly kind: 'json'; readonly json: JsonValue; readonly span: Span }
  /** `upTo`: the other end, of `between`. */
  | { readonly kind: 'duration'; readonly ms: number; readonly upTo?: number; readonly span: Span }
  | {
      readonly kind: 'template';
      readonly text: string;
      readonly span: Span;
      /** The elements of a list without its brackets. */
      readonly isList?: true;
    };

/** An operator with its modifiers. */
export interface Comparison {
  readonly operator: Operator;
  /** `not OP`: holds where the operator does not, and there is a value. */
  readonly isNegated?: true;
  /** `length >= 1`: how the length compares; equal without one. */
  readonly lengthOrder?: '==' | '!=' | '<' | '<=' | '>' | '>=';
  /** `within 1% of X`: percent, as it is written. */
  readonly tolerance?: string;
  /** `== X ignoring a.b, c`, `matchesSnapshot ignoring a`: paths that are left out on both sides. */
  readonly ignoring?: readonly (readonly PathStep[])[];
}

/** `[every|any] PATH [not] OP [VALUE]`: what follows "??", and what follows "while" in `@retry`. */
export interface Condition extends Comparison {
  /** As far as the first `[*]`. */
  readonly path: Path;
  readonly value?: AssertionValue;
  /** `every PATH[*]…`, `any PATH[*]…`: how many of the elements have to hold. */
  readonly quantifier?: 'every' | 'any';
  /** The steps behind each `[*]`. */
  readonly each?: readonly (readonly PathStep[])[];
  /** All between the path and the value, as it is written. */
  readonly words: string;
}

/** `?? PATH OP [VALUE]`; `text` is what follows "??", the span runs from "??" to the end of the line. */
export interface Assertion extends Condition {
  readonly text: string;
  readonly span: Span;
}

/** When a stream ends by itself; at least one of the two is set. */
export interface Until {
  readonly messages?: number;
  readonly ms?: number;
}

export interface Retry {
  readonly times: number;
  readonly everyMs: number;
  readonly condition?: Condition;
}

/** `@prompt NAME [label]`. */
export interface Prompt {
  readonly name: string;
  readonly label: string;
}

/** `@capture NAME = PATH`: a variable out of the block's answer. The span runs from "@" to the end of the path. */
export interface Capture {
  readonly name: Token;
  readonly path: Path;
  readonly span: Span;
}

/** `@if PATH OP VALUE`: the path begins with the name of a variable or a request. */
export interface RunCondition {
  readonly content: OperandContent;
  readonly condition: Condition;
  /** All behind "@if". */
  readonly text: string;
}

/** `@foreach NAME in SOURCE`: a file of rows, or the rows themselves as JSON. */
export interface ForEach {
  readonly name: Token;
  readonly source: { readonly kind: 'file' | 'json'; readonly token: Token };
}

/** `@silence CODE why`. The span runs from "@" to the end. */
export interface Silence {
  readonly code: Token;
  /** Empty without one. */
  readonly why: string;
  readonly span: Span;
}

/** The parsed directives of one block; of a repeated directive the last counts. */
export interface Settings {
  readonly name?: Token;
  readonly endpoint?: string;
  readonly key?: string;
  /** `@auth none`: asked without a key. */
  readonly auth?: 'none';
  readonly timeoutMs?: number;
  readonly until?: Until;
  readonly retry?: Retry;
  readonly notes: readonly string[];
  readonly prompts: readonly Prompt[];
  readonly captures: readonly Capture[];
  readonly disabled: boolean;
  /** All of them have to hold. */
  readonly conditions: readonly RunCondition[];
  readonly foreach?: ForEach;
  readonly silences: readonly Silence[];
  /** Runs before the first, or after the last selected block of its file. */
  readonly role?: 'setup' | 'teardown';
  /** Paths as written, with the span of the whole directive from "@". */
  readonly imports: readonly Token[];
  readonly tags: readonly string[];
  /** Method packs that are known here, from here on or, in the preamble, in the file. */
  readonly packs: readonly PackId[];
}

/** `>> file`, `>>! file`. */
export interface Redirect {
  readonly file: Token;
  readonly overwrite: boolean;
  readonly span: Span;
}

export type ReferencePlace = 'body' | 'variable' | 'header' | 'url' | 'assertion' | 'redirect' | 'retry' | 'condition';

/** `{{…}}` anywhere in a block. */
export interface Reference {
  readonly span: Span;
  readonly place: ReferencePlace;
  readonly content: ReferenceContent;
  /** True where the braces are all of a JSON string, or of a variable's text, so that the value keeps its type. */
  readonly alone: boolean;
  /** True for `{{x}}` outside any string, in value position of the body. */
  readonly bare: boolean;
  /** A bare name inside an expression, which precedes it in the list. */
  readonly isOperand?: true;
  /** There is a default: a variable may be missing. */
  readonly isOptional?: true;
}

/** `{{= … }}`, or a name with a default. A single name keeps the type of its value. */
export interface Computed {
  readonly kind: 'computed';
  readonly expression: Expression;
  readonly operands: readonly Operand[];
  /** `else VALUE`: in place of a variable or of a value of an answer that is not there. */
  readonly fallback?: JsonValue;
}

/** The meaning of a name or a path, without a default or arithmetic. */
export type OperandContent = Extract<ReferenceContent, { readonly kind: 'variable' | 'response' }>;

/** A name in an expression; the span counts from the start of the block. */
export interface Operand {
  readonly content: OperandContent;
  readonly span: Span;
}

/** The content of `{{= … }}`, or a single name with a default. */
export type Expression =
  | { readonly kind: 'number'; readonly text: string }
  | ({ readonly kind: 'operand' } & Operand)
  | { readonly kind: 'operation'; readonly sign: Sign; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] };

export type ReferenceContent =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'response'; readonly request: string; readonly path: readonly PathStep[] }
  | { readonly kind: 'helper'; readonly name: string; readonly args: readonly Token[] }
  | Computed
  | { readonly kind: 'invalid'; readonly reason: string };

/** A finding with its place in the block. Codes are the stable ones of docs/diagnostics.md. */
export interface Problem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  /** Facts for the quick fixes; shape per code. */
  readonly data?: unknown;
  /** Under which condition it is a problem; shape of the check that found it. Reported problems have none. */
  readonly only?: unknown;
}

export interface Block {
  readonly kind: 'preamble' | 'request';
  /** The block's lines joined by "\n"; a CR before the line feed is not part of it. */
  readonly text: string;
  /** Offset of each line's first unit in `text`. */
  readonly lineStarts: readonly number[];
  /** The text after "###"; empty without one. */
  readonly title: Token;
  readonly directives: readonly Directive[];
  readonly settings: Settings;
  readonly variables: readonly Variable[];
  readonly requestLine?: RequestLine;
  readonly headers: readonly Header[];
  readonly body?: Body;
  readonly assertions: readonly Assertion[];
  readonly redirects: readonly Redirect[];
  readonly references: readonly Reference[];
  /** Problems of the grammar; those of the checks against the methods are added later. */
  readonly problems: readonly Problem[];
}

/** A block and the line of the file on which it begins (zero-based). */
export interface PlacedBlock {
  readonly block: Block;
  readonly line: number;
}

/**
 * Some blocks in a row. An edit elsewhere leaves a chunk the same object, so that what is found out about its blocks can
 * be kept with it, and a keystroke costs the same in a small file and in a large one.
 */
export interface Chunk {
  /** Parsed on first use. */
  readonly blocks: readonly Block[];
  readonly lineCount: number;
  /** The lines of the chunk, joined by "\n", until its blocks are asked for; undefined afterwards. */
  readonly unread: string | undefined;
  /** False only where the chunk has no "@", and so no name, no directive and no variable; known without reading it. */
  readonly mayDefine: boolean;
}

/** Replaces a span of a block. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** A whole file. Unchanged blocks are the same objects after an edit. */
export interface RequestDocument {
  readonly uri: string;
  readonly version: number;
  readonly chunks: readonly Chunk[];
  /** The line on which each chunk begins; counted on first use. */
  readonly chunkLines: readonly number[];
  /** The first block: the preamble where there is one. */
  readonly first: Block;
  /** All lines without their ends; put together on first use. */
  readonly lines: readonly string[];
  /** All blocks with their lines; put together on first use. */
  readonly blocks: readonly PlacedBlock[];
  /** The unique object for the block of this document that begins on `line`. */
  placed(block: Block, line: number): PlacedBlock;
  /** The same of a block whose line counts from the first one of its chunk, which is the `chunk`th. */
  placedIn(chunk: number, block: PlacedBlock): PlacedBlock;
}

/** Zero-based line and UTF-16 character, as in LSP. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}
