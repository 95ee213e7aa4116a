// The hover text of a transaction or a signature: its explanation in a few lines, from the text itself and from kept
// answers. Sends nothing; loaded on first use.
import { MarkupKind, type Hover } from 'vscode-languageserver-types';
import type { Explanation } from '../../core/solana/explain/explanation';
import { explainedAnswer, explainedText } from '../../core/solana/explain/given';
import { summaryLines } from '../../core/solana/explain/summary';
import { markdownBlock } from '../../core/solana/common/markdown';
import type { Programs } from '../../core/solana/decode/decoded';
import { member, type JsonValue } from '../../core/solana/json/json';
import { isSignature } from '../../core/solana/chain/keys';
import type { EncodedWord } from './encodedWord';

export interface SummaryWanted {
  readonly word: EncodedWord;
  /** The editor's hover without it. */
  readonly hover: Hover | undefined;
  /** Answers that the requests of the file last had. */
  readonly held: readonly JsonValue[];
  readonly programs: Programs;
}

/** The hover with the summary on top; unchanged if there is no known transaction. */
export function withSummary({ word, hover, held, programs }: SummaryWanted): Hover | undefined {
  const isNamed = isSignature(word.text);
  const written = isNamed ? undefined : explanationIn(word.text, programs);
  if (!isNamed && written === undefined) return hover;
  const landed = heldOf(isNamed ? word.text : written?.signature, held, programs);
  const explanation = landed ?? written;
  if (explanation === undefined) return hover;
  const summary = markdownBlock(summaryLines(explanation).join('\n'));
  const below = hover === undefined ? undefined : markdownOf(hover);
  return {
    contents: { kind: MarkupKind.Markdown, value: below === undefined ? summary : `${summary}\n\n---\n\n${below}` },
    range: hover?.range ?? word.range,
  };
}

function explanationIn(text: string, programs: Programs): Explanation | undefined {
  const explained = explainedText(text, programs);
  return typeof explained === 'string' ? undefined : explained;
}

/** The answer to getTransaction with this signature. */
function heldOf(
  signature: string | undefined,
  held: readonly JsonValue[],
  programs: Programs,
): Explanation | undefined {
  if (signature === undefined) return undefined;
  for (const answer of held) {
    if (member(member(answer, 'result'), 'transaction') === undefined) continue;
    const explained = explainedAnswer(answer, programs);
    if (typeof explained !== 'string' && explained.signature === signature) return explained;
  }
  return undefined;
}

/** Our own hovers are Markdown; any other content is left out. */
function markdownOf({ contents }: Hover): string | undefined {
  return typeof contents === 'object' && 'kind' in contents ? contents.value : undefined;
}
