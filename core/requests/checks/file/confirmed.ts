// A hint for `confirmed` on a chain without that level. Kept apart from the other checks: it depends on what the endpoint
// showed, and the terminal leaves it out.
import { blocksIn, placedBlocks } from '../../document/chunk';
import type { Block, Chunk, PlacedBlock, Problem, RequestDocument } from '../../document/model';
import type { FileContext } from '../../document/variables/variables';
import type { MethodTable } from '../../methods';
import { memberOf } from '../../methods/describe';
import { perObject } from '../../../solana/common/perObject';
import { chainAge } from '../../../solana/chain/chain';
import { partPlace, nodeSpan } from '../../document/call';
import { callsIn, methodOf } from '../../../solana/json/calls';
import { endpointOf, methodsOf } from '../../document/packs';
import { problem, type PlacedProblem } from '../problem';

/** In so many blocks, the first ones of a file: the others are not read for this. */
const MAX_BLOCKS = 100;

const MESSAGE =
  'confirmed is the same slot as finalized since Alpenglow, and is to be removed in a later release: write finalized.';

/** The places of a file where the level is written out; none of endpoints that showed a chain which has it. */
export function confirmedIn(document: RequestDocument, surroundings: FileContext): PlacedProblem[] {
  const named: PlacedBlock[] = [];
  for (const placed of placedBlocks(document, confirmedBlocks)) if (named.push(placed) === MAX_BLOCKS) break;
  const inBlock = foundWith(methodsOf(surroundings));
  return named.flatMap((placed) => {
    const chain = endpointOf(document, placed.block, surroundings)?.chain ?? chainAge();
    return chain.hasConfirmed ? [] : inBlock(placed.block).map((one) => ({ placed, problem: one }));
  });
}

/** The blocks of a chunk that name the level, with lines counted from its first one. */
const confirmedBlocks = perObject((chunk: Chunk) =>
  blocksIn(chunk, 'confirmed', ({ body }) => body?.text.includes('"confirmed"') === true),
);

/** The findings in a block, by the known methods. */
const foundWith = perObject((methods: MethodTable) => perObject(({ body }: Block) => foundIn(body, methods)));

function foundIn(body: Block['body'], methods: MethodTable): readonly Problem[] {
  const value = body?.value();
  if (body === undefined || value === undefined) return [];
  return callsIn(value).flatMap((call) => {
    const specs = methods.named(methodOf(call.request) ?? '')?.params ?? [];
    const given = partPlace(body, call, ['params'])?.node;
    return (given?.type === 'array' ? (given.children ?? []) : []).flatMap((node, index) =>
      (node.type === 'object' ? (node.children ?? []) : []).flatMap(({ children: [key, level] = [] }) => {
        const field = specs[index] === undefined ? undefined : memberOf(specs[index], String(key?.value));
        if (field?.spec.kind !== 'commitment' || level?.value !== 'confirmed') return [];
        const edits = [{ span: nodeSpan(level), text: '"finalized"' }];
        const data = { kind: 'edits', choices: [{ title: 'Change to "finalized"', edits }] } as const;
        return [problem('confirmed-commitment', MESSAGE, nodeSpan(level), data)];
      }),
    );
  });
}
