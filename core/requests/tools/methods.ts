// Describes methods for language models. Sends nothing.
import { removedMethodNamed, type MethodTable } from '../methods';
import { fieldsOf, methodMarkdown, removedMarkdown, signatureLabel, specLabel } from '../methods/describe';
import { nearestNames } from '../../solana/common/nearest';
import type { MethodSummary } from './answers';

/** Methods whose name or summary holds every word of the query; those of method packs only where there is one. */
export function methodsLike(methods: MethodTable, query = ''): readonly MethodSummary[] {
  const words = query.toLowerCase().split(/\s+/);
  return methods
    .all()
    .filter(({ pack }) => pack === undefined || query !== '')
    .filter(({ name, summary }) => words.every((word) => `${name} ${summary}`.toLowerCase().includes(word)))
    .map((record) => ({
      name: record.name,
      signature: signatureLabel(record).label,
      summary: record.summary,
      transport: record.transport,
    }));
}

interface ExplainedParameter {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly explanation: string;
  readonly members: readonly string[];
}

export interface ExplainedMethod {
  readonly name: string;
  readonly isKnown: boolean;
  readonly signature?: string;
  readonly explanation?: string;
  readonly parameters?: readonly ExplainedParameter[];
  readonly similar?: readonly string[];
}

export function explainMethod(methods: MethodTable, name: string): ExplainedMethod {
  const record = methods.named(name);
  if (record === undefined) {
    const removed = removedMethodNamed(name);
    const similar = nearestNames(
      name,
      methods.all().map((one) => one.name),
    );
    return { name, isKnown: false, similar, ...(removed !== undefined && { explanation: removedMarkdown(removed) }) };
  }
  return {
    name,
    isKnown: true,
    signature: signatureLabel(record).label,
    explanation: methodMarkdown(record),
    parameters: record.params.map((param) => ({
      name: param.name,
      type: specLabel(param.spec),
      required: param.required === true,
      explanation: param.doc,
      members: fieldsOf(param.spec).map((field) => `${field.name}: ${specLabel(field.spec)}. ${field.doc}`),
    })),
  };
}
