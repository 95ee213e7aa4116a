// Inlay hints next to values of a body: lamports as SOL, names of known addresses, and defaults of omitted options.
import type { Node } from 'jsonc-parser';
import { InlayHintKind, type InlayHint } from 'vscode-languageserver-types';
import { positionAt } from '../../document/lines';
import type { PlacedBlock, Range, RequestDocument } from '../../document/model';
import type { EndpointValues, FileContext } from '../../document/variables/variables';
import type { MethodTable } from '../../methods';
import { fieldsOf, itemOf } from '../../methods/describe';
import type { FieldSpec, MethodRecord, ValueSpec } from '../../methods/types';
import { endpointOf } from '../../document/packs';
import { addressName } from '../../../solana/chain/addresses';
import { numberOf, integerOf, printJson } from '../../../solana/json/json';
import { formatSol } from '../../../solana/chain/lamports';
import { unitText } from '../../../solana/chain/units';
import { partPlace, propertyOf } from '../../document/call';
import { callsIn, methodOf, type Call } from '../../../solana/json/calls';
import { methodsOf } from '../../document/packs';

/** Which hints are shown. */
export interface InlayChoice {
  readonly lamports: boolean;
  /** Slots with their age. */
  readonly units: boolean;
  readonly addresses: boolean;
  readonly defaults: boolean;
}

/** Longer rows of defaults would hide the request. */
const MAX_DEFAULTS = 3;

interface Hint {
  readonly offset: number;
  readonly label: string;
  readonly tooltip: string;
}

/** The inputs of a block's hints. */
interface Around extends InlayChoice {
  readonly methods: MethodTable;
  /** About the newest slot of the block's endpoint, and its pace. */
  readonly slot?: bigint;
  readonly slotMs?: number | undefined;
}

/** The hints of the blocks that `range` touches. */
export function hintsIn(
  document: RequestDocument,
  range: Range,
  choice: InlayChoice,
  surroundings: FileContext,
): InlayHint[] {
  const methods = methodsOf(surroundings);
  return document.blocks
    .filter(({ line, block }) => line <= range.end.line && line + block.lineStarts.length > range.start.line)
    .flatMap((placed) =>
      hintsOf(placed, { ...choice, methods, ...slotIn(endpointOf(document, placed.block, surroundings)) }).map(
        ({ offset, label, tooltip }) => ({
          position: positionAt(placed, offset),
          label,
          tooltip,
          paddingLeft: true,
          kind: InlayHintKind.Type,
        }),
      ),
    );
}

const slotIn = ({ slot, chain }: Partial<EndpointValues> = {}): Pick<Around, 'slot' | 'slotMs'> =>
  slot === undefined ? {} : { slot, slotMs: chain?.slotMs };

function hintsOf({ block }: PlacedBlock, around: Around): Hint[] {
  const { body, requestLine } = block;
  const value = body?.value();
  if (body === undefined || value === undefined || requestLine?.transport === 'GRPC') return [];
  return callsIn(value).flatMap((call) => {
    const record = around.methods.named(methodOf(call.request) ?? '');
    const params = record === undefined ? undefined : paramsOf(body, call);
    if (record === undefined || params?.type !== 'array') return [];
    const values = (params.children ?? []).flatMap((node, index) => {
      const spec = record.params[index]?.spec;
      return spec === undefined ? [] : valueHints(block.text, node, spec, around);
    });
    return around.defaults ? [...values, ...defaultHints(record, params)] : values;
  });
}

function paramsOf(body: Parameters<typeof partPlace>[0], call: Call): Node | undefined {
  const place = partPlace(body, call, ['params']);
  return place?.isWhole === true ? place.node : undefined;
}

function valueHints(text: string, node: Node, spec: ValueSpec, around: Around): Hint[] {
  const offset = node.offset + node.length;
  if (node.type === 'string') {
    const name = around.addresses ? addressName(String(node.value)) : undefined;
    return name === undefined ? [] : [{ offset, label: name, tooltip: 'A known address.' }];
  }
  if (node.type === 'number') {
    const unit = spec.kind === 'integer' ? spec.unit : undefined;
    const integer = integerOf(numberOf(text.slice(node.offset, offset)));
    if (integer === undefined) return [];
    if (unit === 'lamports' && around.lamports) return [{ offset, label: formatSol(integer), tooltip: 'In SOL.' }];
    const age = unit === 'slots' && around.units ? unitText('slot', integer, around) : undefined;
    return age === undefined ? [] : [{ offset, label: age, tooltip: 'By the newest slot that an answer named.' }];
  }
  const item = itemOf(spec);
  if (node.type === 'array')
    return (node.children ?? []).flatMap((child) => valueHints(text, child, item ?? spec, around));
  return (node.children ?? []).flatMap(({ children }) => {
    const [key, child] = children ?? [];
    const field = fieldsOf(spec).find(({ name }) => name === key?.value);
    return child === undefined ? [] : valueHints(text, child, field?.spec ?? { kind: 'string' }, around);
  });
}

/** Defaults of omitted options: at the end of the config, or of the parameters. */
function defaultHints(record: MethodRecord, params: Node): Hint[] {
  const at = record.params.findIndex((param) => param.name === 'config');
  const given = params.children ?? [];
  if (at < 0 || given.length < at) return [];
  const config = given[at];
  if (config !== undefined && config.type !== 'object') return [];
  const spec = record.params[at]?.spec;
  const left = spec === undefined ? [] : fieldsOf(spec).filter((field) => isLeftOut(field, config));
  if (left.length === 0) return [];
  const label = left
    .slice(0, MAX_DEFAULTS)
    .map(({ name, default: value }) => `${name}: ${printJson(value ?? null)}`)
    .join(', ');
  const owner = config ?? params;
  return [{ offset: owner.offset + owner.length - 1, label, tooltip: 'Defaults of options that are left out.' }];
}

/** Defaults that change nothing are not worth a word. */
function isLeftOut(field: FieldSpec, config: Node | undefined): boolean {
  const { name, default: value } = field;
  if (value === undefined || value === null || value === false) return false;
  return config === undefined || propertyOf(config, name) === undefined;
}
