// Decoded values of a Codama type in one plain form, from our decoder and from @codama/dynamic-codecs.
import type { DecodedValue } from '../../../core/solana/decode/decoded';
import type { Node } from './codama';

export type Plain = string | boolean | null | readonly Plain[];

/** A type node by its link. */
export type Links = (name: string) => Node;

const base64 = (bytes: Uint8Array): string => `base64 ${Buffer.from(bytes).toString('base64')}`;

/** Our decoder's value, in the same form as `theirs` for the same type. */
export function ours(value: DecodedValue): Plain {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'integer':
    case 'float':
      return String(value.value);
    case 'pubkey':
      return value.address;
    case 'bytes':
      return base64(value.bytes);
    case 'flag':
      return value.value;
    case 'none':
      return null;
    case 'list':
      return value.items.map(ours);
    case 'fields': {
      const fields = value.fields.map(({ name, value: inside }) => [name, ours(inside)]);
      return value.name === undefined ? fields : [value.name, fields];
    }
  }
}

/** Their codec's value for a type node. */
export function theirs(node: Node, value: unknown, links: Links): Plain {
  const of = (key: string): Node => member(node, key) as Node;
  const list = (key: string): readonly Node[] => member(node, key) as readonly Node[];
  switch (node.kind) {
    case 'numberTypeNode':
      return String(value);
    case 'amountTypeNode':
    case 'solAmountTypeNode':
    case 'dateTimeTypeNode':
      return theirs(of('number'), value, links);
    case 'booleanTypeNode':
      return value as boolean;
    case 'publicKeyTypeNode':
    case 'stringTypeNode':
      return value as string;
    case 'bytesTypeNode':
      return (value as readonly string[]).join(' ');
    case 'fixedSizeTypeNode':
    case 'sizePrefixTypeNode':
    case 'sentinelTypeNode':
    case 'hiddenPrefixTypeNode':
    case 'hiddenSuffixTypeNode':
    case 'preOffsetTypeNode':
    case 'postOffsetTypeNode':
      return theirs(of('type'), value, links);
    case 'optionTypeNode':
    case 'zeroableOptionTypeNode':
    case 'remainderOptionTypeNode':
      return member(value, '__option') === 'None' ? null : theirs(of('item'), member(value, 'value'), links);
    case 'structTypeNode':
      return list('fields').map((field) => [
        field['name'] as string,
        theirs(field['type'] as Node, member(value, field['name'] as string), links),
      ]);
    case 'tupleTypeNode':
      return list('items').map((item, at) => [String(at), theirs(item, (value as readonly unknown[])[at], links)]);
    case 'arrayTypeNode':
    case 'setTypeNode': {
      const items = value as readonly unknown[];
      const item = of('item');
      // We show bytes as bytes.
      if (item['format'] === 'u8') return base64(Uint8Array.from(items as readonly number[]));
      return items.map((one) => theirs(item, one, links));
    }
    case 'mapTypeNode':
      return Object.entries(value as object).map(([key, one]) => [
        ['0', key],
        ['1', theirs(of('value'), one, links)],
      ]);
    case 'enumTypeNode':
      return variantOf(list('variants'), value, links);
    case 'definedTypeLinkNode':
      return theirs(links(node['name'] as string), value, links);
    default:
      throw new Error(`no reading of ${node.kind}`);
  }
}

function variantOf(variants: readonly Node[], value: unknown, links: Links): Plain {
  const isNamed = (variant: Node): boolean => {
    const name = variant['name'] as string;
    return name.charAt(0).toUpperCase() + name.slice(1) === member(value, '__kind');
  };
  const variant = typeof value === 'number' ? variants[value] : variants.find(isNamed);
  if (variant === undefined) throw new Error(`no variant ${JSON.stringify(value)}`);
  const name = variant['name'] as string;
  switch (variant.kind) {
    case 'enumStructVariantTypeNode':
      return [name, theirs(variant['struct'] as Node, value, links)];
    case 'enumTupleVariantTypeNode':
      return [name, theirs(variant['tuple'] as Node, member(value, 'fields'), links)];
    default:
      return [name, []];
  }
}

const member = (value: unknown, key: string): unknown => (value as Readonly<Record<string, unknown>>)[key];
