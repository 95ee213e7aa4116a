// Pieces of a `.http` file: lines with their numbers, and the blocks that they make. Types and the signs of lines.
import type { Body, Span } from '../document/model';

/** A line and its number, from one. */
export interface HttpLine {
  readonly text: string;
  readonly number: number;
}

/** A body, with the comments in front of it and the lines behind it. */
export interface HttpBody {
  readonly before: readonly HttpLine[];
  readonly content: HttpContent;
  readonly behind: readonly HttpLine[];
}

type HttpContent =
  | { readonly kind: 'empty' }
  /** `text` has its comments with `//`; offsets of `body` and `bare` are into it. */
  | {
      readonly kind: 'json';
      readonly text: string;
      readonly body: Body;
      readonly bare: readonly Span[];
      readonly lines: readonly HttpLine[];
    }
  /** Why it is not a JSON body; `number` is the line where that shows. */
  | { readonly kind: 'other'; readonly number: number; readonly reason: string };

export interface HttpBlock {
  /** Behind `###`. */
  readonly title: string;
  readonly number: number;
  /** `# @name value`: the words behind the sign. */
  readonly directives: readonly HttpLine[];
  /** In front of the body; the text is without the sign. */
  readonly comments: readonly HttpLine[];
  readonly variables: readonly (HttpLine & { readonly name: string; readonly value: string })[];
  readonly request?: HttpLine & { readonly method: string; readonly url: string };
  readonly headers: readonly (HttpLine & { readonly name: string; readonly value: string })[];
  /** Mostly one; a WebSocket or a gRPC stream may send several. */
  readonly bodies: readonly HttpBody[];
  /** `===` between them. */
  readonly separators: readonly HttpLine[];
  /** Command lines of curl and its like, each with all of its lines. */
  readonly commands: readonly HttpLine[];
  /** Behind the body. */
  readonly after: readonly HttpLine[];
  /** `?? …`. */
  readonly assertions: readonly HttpLine[];
  /** Lines of a script, one entry each; the text is what is in it. */
  readonly scripts: readonly HttpLine[];
  /** `>> file`, `< file` and what else has a meaning elsewhere. */
  readonly others: readonly (HttpLine & { readonly isBeforeRequest: boolean })[];
  /** Lines that belong to no request. */
  readonly strays: readonly HttpLine[];
}

export type Draft<Block = HttpBlock> = {
  -readonly [K in keyof Block]: Block[K] extends readonly (infer T)[] ? T[] : Block[K];
};

const DIRECTIVE = /^\s*(?:#|\/\/)\s*@\s*(?!\s)(.*)$/;
const COMMENT = /^\s*(?:#|\/\/)\s?(.*)$/;
const VARIABLE = /^\s*@([^\s=:]+)\s*:?=\s*(?!\s)(.*)$/;

/** The words of a directive behind its sign. */
export const directiveIn = ({ text, number }: HttpLine): HttpLine | undefined =>
  taken(DIRECTIVE.exec(text)?.[1], number);

/** The text of a comment without its sign. */
export const commentIn = ({ text, number }: HttpLine): HttpLine | undefined => taken(COMMENT.exec(text)?.[1], number);

const taken = (text: string | undefined, number: number): HttpLine | undefined =>
  text === undefined ? undefined : { text: text.trim(), number };

export function variableIn({ text, number }: HttpLine): HttpBlock['variables'][number] | undefined {
  const [, name, value = ''] = VARIABLE.exec(text) ?? [];
  return name === undefined ? undefined : { text, number, name, value: value.trim() };
}
