// A decoded transaction as rows: outcome, accounts, instructions with inner calls, balances, logs.
import { addressName } from '../../chain/addresses';
import type { TransactionConfig } from '../../wire/transactionTypes';
import type { BalanceChange, DecodedInstruction, DecodedTransaction, LogNode } from '../decoded';
import {
  amountText,
  bytesText,
  cutLogText,
  fieldRows,
  visibleText,
  timeText,
  valueText,
  type DecodedRow,
} from '../decodedText';
import { failureSentence } from './failure';
import { configLines, withoutEffect } from '../../wire/configText';
import { formatSol, formatUnits, groupDigits } from '../../chain/lamports';

/** Deeper calls are not opened. */
const MAX_DEPTH = 24;

export function transactionRows(transaction: DecodedTransaction): readonly DecodedRow[] {
  const { instructions, accounts, balances, logs, returnData, version } = transaction;
  return [
    ...headRows(transaction),
    { depth: 0, name: 'accounts', value: groupDigits(String(accounts.length)) },
    ...accounts.map(({ address, isFeePayer, isSigner, isWritable, table }, at) => ({
      depth: 1,
      name: `[${at}]`,
      value: [
        named(address),
        isFeePayer ? 'fee payer' : isSigner ? 'signer' : '',
        isWritable ? 'writable' : '',
        table === undefined ? '' : `from table ${table}`,
      ]
        .filter((part) => part !== '')
        .join(', '),
    })),
    { depth: 0, name: 'instructions', value: groupDigits(String(instructions.length)) },
    ...instructions.flatMap((instruction) => instructionRows(instruction, 1, version)),
    ...(balances.length === 0 ? [] : [{ depth: 0, name: 'balances', value: `${balances.length} changed` }]),
    ...balances.map((change) => ({ depth: 1, name: visibleText(change.account), value: changeText(change) })),
    ...(returnData === undefined ? [] : [{ depth: 0, name: 'returned', value: bytesText(returnData.data) }]),
    ...(logs.length === 0 ? [] : [{ depth: 0, name: 'logs', value: '' }]),
    ...logs.flatMap((node) => logRows(node, 1)),
  ];
}

function headRows(transaction: DecodedTransaction): readonly DecodedRow[] {
  const { hasRun, error, slot, blockTime, feePayer, fee, computeUnits, blockhash, version, config } = transaction;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['outcome', hasRun ? (error === undefined ? 'succeeded' : visibleText(failureSentence(error))) : 'has not run'],
    ['next step', error?.next],
    ['slot', slot === undefined ? undefined : groupDigits(slot.toString())],
    ['time', blockTime === undefined ? undefined : timeText(blockTime)],
    ['version', version === 'legacy' ? 'legacy' : String(version)],
    ['feePayer', feePayer],
    ['fee', fee === undefined ? undefined : amountText(fee, { kind: 'lamports' })],
    ['computeUnits', computeUnits === undefined ? undefined : groupDigits(computeUnits.toString())],
    ['blockhash', blockhash],
  ];
  return [
    ...rows.flatMap(([name, value]) => (value === undefined ? [] : [{ depth: 0, name, value }])),
    ...(config === undefined ? [] : [{ depth: 0, name: 'config', value: '' }, ...configRows(config)]),
  ];
}

const configRows = (config: TransactionConfig): readonly DecodedRow[] =>
  configLines(config).map(({ name, value }) => ({ depth: 1, name, value }));

const named = (address: string | undefined): string =>
  address === undefined ? 'in a lookup table that was not read' : valueText({ kind: 'pubkey', address });

function instructionRows(
  instruction: DecodedInstruction,
  depth: number,
  version: DecodedTransaction['version'],
): readonly DecodedRow[] {
  if (depth > MAX_DEPTH) return [];
  const { path, program, programName, name, fields, accounts, data, unread, inner } = instruction;
  const effect = withoutEffect(version, program);
  const what = `${visibleText(programName ?? program)}${name === undefined ? '' : `: ${visibleText(name)}`}${effect}`;
  return [
    { depth, name: path.map((place) => place + 1).join('.'), value: what },
    ...fieldRows(fields, depth + 1),
    ...accounts.map(({ role, address }, at) => ({
      depth: depth + 1,
      name: role === undefined ? `account ${at + 1}` : visibleText(role),
      value: named(address),
    })),
    ...(fields.length > 0 || data === undefined || data.length === 0
      ? []
      : [{ depth: depth + 1, name: 'data', value: bytesText(data) }]),
    ...(unread === undefined ? [] : [{ depth: depth + 1, name: 'not read', value: visibleText(unread) }]),
    ...inner.flatMap((call) => instructionRows(call, depth + 1, version)),
  ];
}

/** `1 → 0.5 SOL (-0.5 SOL)`. */
export function changeText(change: BalanceChange): string {
  const { before, after } = change;
  const moved = after - before;
  const sign = moved > 0n ? '+' : '';
  if (change.kind === 'lamports') return `${formatSol(before)} → ${formatSol(after)} (${sign}${formatSol(moved)})`;
  const { decimals, mint } = change;
  const amount = (units: bigint): string => formatUnits(units, decimals);
  const token = addressName(mint) ?? visibleText(mint);
  return `${amount(before)} → ${amount(after)} (${sign}${amount(moved)}) of ${token}`;
}

function logRows(node: LogNode, depth: number): readonly DecodedRow[] {
  if (depth > MAX_DEPTH) return [];
  switch (node.kind) {
    case 'call': {
      const { program, programName, outcome, failure, unitsConsumed, unitsAllowed, children } = node;
      const units =
        unitsConsumed === undefined
          ? ''
          : `, ${groupDigits(unitsConsumed.toString())} of ${groupDigits((unitsAllowed ?? 0n).toString())} compute units`;
      const end = failure === undefined ? outcome : `failed: ${visibleText(failure)}`;
      return [
        { depth, name: programName ?? program, value: `${end}${units}` },
        ...children.flatMap((child) => logRows(child, depth + 1)),
      ];
    }
    case 'line':
      return [{ depth, name: 'log', value: visibleText(node.text) }];
    case 'data':
      return node.event === undefined
        ? [{ depth, name: 'data', value: node.chunks.map(bytesText).join(' ') }]
        : [{ depth, name: 'event', value: visibleText(node.event.name) }, ...fieldRows(node.event.fields, depth + 1)];
    case 'returned':
      return [{ depth, name: 'returned', value: bytesText(node.data) }];
    case 'truncated':
      return [{ depth, name: '…', value: cutLogText(node.unread) }];
  }
}
