// Transactions, their logs and their blocks as trees for a page: outcome, instructions with the calls they made,
// balance changes, logs by call.
import type { BlockTransaction, Content } from '../../core/service/streams/content';
import type {
  BalanceChange,
  DecodedInstruction,
  DecodedTransaction,
  LogNode,
  Programs,
} from '../../core/solana/decode/decoded';
import { amountText, bytesText, cutLogText, visibleText, timeText } from '../../core/solana/decode/decodedText';
import { configLines, withoutEffect } from '../../core/solana/wire/configText';
import { isPublicKey } from '../../core/solana/chain/keys';
import { groupDigits } from '../../core/solana/chain/lamports';
import type { TransactionConfig } from '../../core/solana/wire/transactionTypes';
import { transactionFromJson, transactionFromYellowstone } from '../../core/solana/decode/transactions/decode';
import { failureSentence } from '../../core/solana/decode/transactions/failure';
import { logTree } from '../../core/solana/decode/transactions/logs';
import { changeText } from '../../core/solana/decode/transactions/rows';
import {
  callsOfLogs,
  callsText,
  outcomeOfJson,
  programText,
  SUCCEEDED,
  unitsOfLogs,
} from '../../core/solana/decode/transactions/summary';
import type { DetailNode } from '../../protocol/streams';
import { accountNode, addressNode, argumentNodes, fieldNode, leftOut } from '../explain/nodes';

/** `brief`: what a block's transaction did. `whole`: with accounts, arguments and logs. */
type Extent = 'brief' | 'whole';

export function transactionNode(transaction: DecodedTransaction, known: Programs): DetailNode {
  return { name: 'Transaction', text: outcomeOf(transaction), parts: transactionParts(transaction, 'whole', known) };
}

function outcomeOf({ hasRun, error }: DecodedTransaction): string {
  if (!hasRun) return 'has not run';
  return error === undefined ? SUCCEEDED : visibleText(failureSentence(error));
}

const leaf = (name: string, text: string | undefined): readonly DetailNode[] =>
  text === undefined ? [] : [{ name, text }];

const list = (name: string, parts: readonly DetailNode[]): readonly DetailNode[] =>
  parts.length === 0 ? [] : [{ name, text: groupDigits(String(parts.length)), parts }];

const digitsOf = (value: bigint | undefined): string | undefined =>
  value === undefined ? undefined : groupDigits(value.toString());

function transactionParts(transaction: DecodedTransaction, extent: Extent, known: Programs): readonly DetailNode[] {
  const { slot, blockTime, version, signature, feePayer, fee, computeUnits, blockhash, returnData } = transaction;
  const { instructions, balances, logs, accounts, config } = transaction;
  const did: readonly DetailNode[] = [
    ...(signature === undefined ? [] : [{ name: 'signature', text: visibleText(signature), address: signature }]),
    ...leaf('fee', fee === undefined ? undefined : amountText(fee, { kind: 'lamports' })),
    ...leaf('compute units', digitsOf(computeUnits)),
    ...list(
      'instructions',
      instructions.map((instruction) => instructionNode(instruction, extent, known, version)),
    ),
    ...list('balances', changes(balances, 'lamports')),
    ...list('token balances', changes(balances, 'tokens')),
  ];
  if (extent === 'brief') return did;
  return [
    ...leaf('slot', digitsOf(slot)),
    ...leaf('time', blockTime === undefined ? undefined : timeText(blockTime)),
    ...(feePayer === undefined ? [] : [addressNode('fee payer', feePayer)]),
    ...did,
    ...leaf('returned', returnData === undefined ? undefined : bytesText(returnData.data)),
    ...logParts(logs, known),
    ...leaf('version', String(version)),
    ...(config === undefined ? [] : [configNode(config)]),
    ...leaf('blockhash', blockhash),
    ...list(
      'accounts',
      accounts.map(({ address, isFeePayer, isSigner, isWritable, table }, at) =>
        addressNode(
          String(at),
          address,
          [
            isFeePayer ? ', fee payer' : isSigner ? ', signer' : '',
            isWritable ? ', writable' : '',
            table === undefined ? '' : `, from table ${visibleText(table)}`,
          ].join(''),
        ),
      ),
    ),
  ];
}

const configNode = (config: TransactionConfig): DetailNode => ({
  name: 'config',
  text: '',
  parts: configLines(config).map(({ name, value }) => ({ name, text: value })),
});

const changes = (balances: readonly BalanceChange[], kind: BalanceChange['kind']): readonly DetailNode[] =>
  balances
    .filter((change) => change.kind === kind)
    .map((change) => ({ name: visibleText(change.account), text: changeText(change), address: change.account }));

function instructionNode(
  instruction: DecodedInstruction,
  extent: Extent,
  known: Programs,
  version: DecodedTransaction['version'],
): DetailNode {
  const { path, program, name, accounts, inner } = instruction;
  const called = inner.map((call) => instructionNode(call, extent, known, version));
  const wants = name === undefined && isPublicKey(program) && known.idl(program) === undefined;
  return {
    name: path.map((place) => place + 1).join('.'),
    text: `${visibleText(programText(program, known))}${name === undefined ? '' : `: ${visibleText(name)}`}${withoutEffect(version, program)}`,
    parts:
      extent === 'brief'
        ? called
        : [
            { ...addressNode('program', program), ...(wants && { idl: program }) },
            ...argumentNodes(instruction),
            ...list('accounts', accounts.map(accountNode)),
            ...called,
          ],
  };
}

const logParts = (logs: readonly LogNode[], known: Programs): readonly DetailNode[] =>
  logs.length === 0 ? [] : [{ name: 'logs', text: '', parts: logs.map((node) => logNode(node, known)) }];

function logNode(node: LogNode, known: Programs): DetailNode {
  switch (node.kind) {
    case 'call': {
      const { program, outcome, failure, unitsConsumed, unitsAllowed, children } = node;
      const units =
        unitsConsumed === undefined
          ? ''
          : `, ${groupDigits(unitsConsumed.toString())} of ${digitsOf(unitsAllowed) ?? '?'} compute units`;
      return {
        name: visibleText(programText(program, known)),
        text: `${failure === undefined ? outcome : `failed: ${visibleText(failure)}`}${units}`,
        address: program,
        parts: children.map((child) => logNode(child, known)),
      };
    }
    case 'line':
      return { name: 'log', text: visibleText(node.text) };
    case 'data':
      return node.event === undefined
        ? { name: 'data', text: node.chunks.map(bytesText).join(' ') }
        : { name: 'event', text: visibleText(node.event.name), parts: node.event.fields.map(fieldNode) };
    case 'returned':
      return { name: 'returned', text: bytesText(node.data) };
    case 'truncated':
      return { name: '…', text: cutLogText(node.unread) };
  }
}

export function logsNode({ error, logs }: Extract<Content, { kind: 'logs' }>, known: Programs): DetailNode {
  return {
    name: 'Transaction logs',
    text: outcomeOfJson(error, logs, known),
    parts: [
      ...leaf('instructions', visibleText(callsOfLogs(logs, known))),
      ...leaf('compute units', digitsOf(unitsOfLogs(logs, known))),
      ...logParts(logTree(logs, known), known),
    ],
  };
}

export function blockNode({ transactions, total }: Extract<Content, { kind: 'block' }>, known: Programs): DetailNode {
  const listed = transactions.map((transaction, at) => blockPart(transaction, at, known));
  const more = total - listed.length;
  return {
    name: 'Block',
    text: total === 1 ? '1 transaction' : `${groupDigits(String(total))} transactions`,
    parts: more > 0 ? [...listed, leftOut(more, more === 1 ? ' transaction' : ' transactions')] : listed,
  };
}

function blockPart(transaction: BlockTransaction, at: number, known: Programs): DetailNode {
  const name = String(at + 1);
  if (transaction.kind === 'signature') {
    const { signature } = transaction;
    return { name, text: visibleText(signature), address: signature };
  }
  const decoded =
    transaction.kind === 'info'
      ? transactionFromYellowstone(transaction.bytes, known)
      : transactionFromJson(transaction.value, known);
  if (!decoded.ok) return { name, text: visibleText(decoded.reason) };
  return {
    name,
    text: `${outcomeOf(decoded.value)}; ${visibleText(callsText(decoded.value.instructions, known))}`,
    parts: transactionParts(decoded.value, 'brief', known),
  };
}
