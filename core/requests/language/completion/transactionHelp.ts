// Completion and hover inside the calls of programs in a transaction: what only an IDL knows. The other members are fields
// of a table, which bodyCompletion and hover read.
import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver-types';
import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser';
import type { Span } from '../../document/model';
import { TRANSACTION_KEY } from '../../methods/records/transactionBody';
import { calledInstruction, programNamed } from '../../methods/transactions/idlCall';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../solana/json/json';
import type { Programs } from '../../../solana/decode/decoded';
import type { Idl, IdlAccountRole, IdlField, IdlInstruction, IdlType } from '../../../solana/decode/idl/model';
import { sameName, withName } from '../../../solana/decode/names';
import { markdownCode, markdownText } from '../../../solana/common/markdown';
import { snippetChoice, snippetText } from '../../snippet';
import type { BodyPlace, CursorContext } from '../context';
import { hasColon, item } from './items';

/** A place in an instruction of a transaction: the instruction as it is written, and the steps within it. */
interface CallPlace {
  readonly call: JsonObject;
  readonly programs: Programs;
  readonly steps: readonly (string | number)[];
}

function callPlace({ methods }: CursorContext, { path, call }: BodyPlace): CallPlace | undefined {
  const { programs } = methods;
  const at = path.indexOf(TRANSACTION_KEY);
  if (programs === undefined || at < 0 || call === undefined) return undefined;
  const [list, index, ...steps] = path.slice(at + 1);
  if (list !== 'instructions' || typeof index !== 'number') return undefined;
  const node = findNodeAtLocation(call, path.slice(0, at + 3));
  const value = node === undefined ? undefined : (getNodeValue(node) as JsonValue);
  return isJsonObject(value) ? { call: value, programs, steps } : undefined;
}

/** An IDL's completions at a place; undefined if it does not apply. */
export function callItems(cursor: CursorContext, place: BodyPlace, span: Span): CompletionItem[] | undefined {
  const at = callPlace(cursor, place);
  if (at === undefined) return undefined;
  const { call, programs, steps } = at;
  const [first, ...rest] = steps;
  const word = (
    label: string,
    kind: CompletionItemKind,
    more: { detail?: string; doc?: string } = {},
  ): CompletionItem => item(cursor, span, { label, kind, text: JSON.stringify(label), ...more });
  if (first === 'program' && rest.length === 0 && !place.isKey)
    return [...(programs.all?.() ?? [])].map(([address, idl]) =>
      word(idl.name, CompletionItemKind.Module, { detail: address, doc: programMarkdown(address, idl) }),
    );
  if (first === 'instruction' && rest.length === 0 && !place.isKey) {
    const program = typeof call['program'] === 'string' ? programNamed(programs, call['program']) : undefined;
    return program?.idl.instructions.map((one) =>
      word(one.name, CompletionItemKind.Function, { detail: signatureOf(one), doc: instructionMarkdown(one) }),
    );
  }
  const known = calledInstruction(programs, call);
  if (known === undefined) return undefined;
  const isNew = (owner: Node | undefined, name: string): boolean =>
    owner?.children?.some(
      ({ children: [key] = [] }) => key?.offset !== span.start && sameName(String(key?.value), name),
    ) !== true;
  const owner = place.call === undefined ? undefined : findNodeAtLocation(place.call, place.path.slice(0, -1));
  const colon = hasColon(cursor, span);
  const members = (
    all: readonly { readonly name: string; readonly detail: string; readonly doc: string; readonly value: string }[],
  ) =>
    all
      .filter(({ name }) => isNew(owner, name))
      .map(({ name, detail, doc, value }) =>
        item(cursor, span, {
          label: name,
          kind: CompletionItemKind.Field,
          detail,
          doc,
          text: colon ? JSON.stringify(name) : `${snippetText(JSON.stringify(name))}: ${value}`,
          ...(colon ? {} : { isSnippet: true }),
        }),
      );
  if (place.isKey && first === 'args') {
    const fields = fieldsAt(known.idl, known.instruction, rest.slice(0, -1));
    return fields === undefined
      ? undefined
      : members(
          fields.map((field) => ({
            name: field.name,
            detail: typeText(field.type),
            doc: `${markdownCode(field.name)}: ${markdownCode(typeText(field.type))}`,
            value: valueSnippet(field.type),
          })),
        );
  }
  if (place.isKey && first === 'accounts' && rest.length <= 1)
    return members(
      known.instruction.accounts
        .filter(({ isRepeated }) => isRepeated !== true)
        .map((role) => ({ name: role.name, detail: roleText(role), doc: roleMarkdown(role), value: '"$1"' })),
    );
  if (!place.isKey && first === 'accounts' && rest.length === 1)
    return [word('$wallet', CompletionItemKind.Constant, { doc: "The endpoint's wallet." })];
  if (!place.isKey && first === 'args') {
    const type = typeAt(known.idl, known.instruction, rest);
    const body = type?.kind === 'defined' ? known.idl.types.get(type.name)?.type : type;
    if (body?.kind === 'enum')
      return [...body.variants.values()].map(({ name }) => word(name, CompletionItemKind.EnumMember));
    if (body?.kind === 'bool')
      return ['true', 'false'].map((label) => item(cursor, span, { label, kind: CompletionItemKind.Value }));
  }
  return undefined;
}

/** An IDL's description of the token at a place; undefined if it does not apply. */
export function callMarkdown(cursor: CursorContext, place: BodyPlace): string | undefined {
  const at = callPlace(cursor, place);
  if (at === undefined) return undefined;
  const { call, programs, steps } = at;
  const [first, ...rest] = steps;
  if (first === 'program' && !place.isKey && typeof call['program'] === 'string') {
    const program = programNamed(programs, call['program']);
    return program === undefined ? undefined : programMarkdown(program.address, program.idl);
  }
  const known = calledInstruction(programs, call);
  if (known === undefined) return undefined;
  if (first === 'instruction' && !place.isKey) return instructionMarkdown(known.instruction);
  if (first === 'accounts' && rest.length === 1) {
    const role = withName(known.instruction.accounts, String(rest[0]));
    return role === undefined ? undefined : roleMarkdown(role);
  }
  if (first !== 'args' || rest.length === 0) return undefined;
  const type = typeAt(known.idl, known.instruction, rest);
  return type === undefined ? undefined : `${markdownCode(String(rest.at(-1)))}: ${markdownCode(typeText(type))}`;
}

const isWritten = ({ constant }: IdlField): boolean => constant === undefined;

/** The fields of the arguments, or of a struct within them. */
function fieldsAt(
  idl: Idl,
  { args }: IdlInstruction,
  steps: readonly (string | number)[],
): readonly IdlField[] | undefined {
  if (steps.length === 0) return args.filter(isWritten);
  return structOf(idl, typeWithin(idl, { kind: 'struct', fields: args }, steps))?.filter(isWritten);
}

const typeAt = (idl: Idl, { args }: IdlInstruction, steps: readonly (string | number)[]): IdlType | undefined =>
  typeWithin(idl, { kind: 'struct', fields: args }, steps);

function typeWithin(idl: Idl, type: IdlType, steps: readonly (string | number)[]): IdlType | undefined {
  const [first, ...rest] = steps;
  if (first === undefined) return type;
  const body = bodyOf(idl, type);
  const next =
    typeof first === 'number'
      ? body?.kind === 'list'
        ? body.of
        : undefined
      : body?.kind === 'enum'
        ? [...body.variants.values()].find(({ name }) => sameName(name, first))?.type
        : withName(structOf(idl, type) ?? [], first)?.type;
  return next === undefined ? undefined : typeWithin(idl, next, rest);
}

function bodyOf(idl: Idl, type: IdlType): IdlType | undefined {
  if (type.kind === 'option') return bodyOf(idl, type.of);
  return type.kind === 'defined' ? idl.types.get(type.name)?.type : type;
}

function structOf(idl: Idl, type: IdlType | undefined): readonly IdlField[] | undefined {
  const body = type === undefined ? undefined : bodyOf(idl, type);
  return body?.kind === 'struct' ? body.fields : undefined;
}

/** A type in a few words. */
function typeText(type: IdlType): string {
  switch (type.kind) {
    case 'integer':
    case 'float':
      return type.of;
    case 'pubkey':
      return 'public key';
    case 'prefixed':
    case 'fixed':
    case 'sentinel':
    case 'hidden':
    case 'moved':
      return typeText(type.of);
    case 'option':
    case 'zeroable':
    case 'remainderOption':
      return `${typeText(type.of)} or null`;
    case 'list':
      return `${typeText(type.of)}[]`;
    case 'defined':
    case 'generic':
      return type.name;
    case 'unreadable':
      return type.what;
    case 'compactU16':
      return 'u16';
    case 'text':
    case 'bytes':
    case 'bool':
    case 'struct':
    case 'enum':
      return type.kind;
  }
}

function valueSnippet(type: IdlType): string {
  switch (type.kind) {
    case 'integer':
    case 'compactU16':
    case 'float':
      return '${1:0}';
    case 'bool':
      return snippetChoice(1, ['true', 'false']);
    case 'pubkey':
    case 'text':
      return '"$1"';
    case 'prefixed':
    case 'fixed':
      return valueSnippet(type.of);
    case 'list':
      return '[$1]';
    case 'option':
      return '${1:null}';
    case 'struct':
      return '{ $1 }';
    default:
      return '$1';
  }
}

const signatureOf = ({ args }: IdlInstruction): string =>
  `(${args
    .filter(isWritten)
    .map(({ name, type }) => `${name}: ${typeText(type)}`)
    .join(', ')})`;

/** Its default if it is not named. */
const roleText = ({ address, source, isSigner, isOptional }: IdlAccountRole): string =>
  address !== undefined || source?.kind === 'derived'
    ? 'derived'
    : source !== undefined || isSigner === true
      ? 'the wallet'
      : isOptional
        ? 'optional'
        : 'account';

function roleMarkdown(role: IdlAccountRole): string {
  const flags = [
    role.isWritable ? 'writable' : 'read-only',
    role.isSigner === true ? 'signs' : '',
    role.isOptional ? 'optional' : '',
  ];
  const how = {
    derived: `May be left out${role.address === undefined ? ': it is derived from its seeds' : `: it is ${markdownCode(role.address)}`}.`,
    'the wallet': "May be left out: it is the endpoint's wallet.",
    optional: 'May be left out.',
    account: 'Has to be named.',
  };
  return `Account ${markdownCode(role.name)} (${flags.filter((flag) => flag !== '').join(', ')})\n\n${how[roleText(role) as keyof typeof how]}`;
}

const instructionMarkdown = (one: IdlInstruction): string =>
  [
    markdownCode(one.name + signatureOf(one)),
    one.accounts.map((role) => `- ${markdownCode(role.name)}: ${roleText(role)}`).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');

const programMarkdown = (address: string, { name, instructions }: Idl): string =>
  `**${markdownText(name)}** ${markdownCode(address)}\n\n${instructions
    .slice(0, 20)
    .map((one) => `- ${markdownCode(one.name)}`)
    .join('\n')}`;
