// The folder of --ledger: the keypairs of the ledger's own accounts, its log, its state. Nothing else in it is touched.
import { closeSync, existsSync, mkdirSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Ledger, LedgerEvent, ValidatorKeys } from '../node/open';
import { fileAt, logText, openEmpty, openToAppend, requireFolder, requireStraightWay, replaceFile } from '../files';
import { StateFileError } from '../state/error';
import { readKeypairFile } from './files';

const LOG = 'validator.log';
const STATE = 'workbench.state';
const FAUCET = 'faucet-keypair.json';
const KEYPAIRS: Readonly<Record<string, keyof ValidatorKeys>> = {
  [FAUCET]: 'faucet',
  'stake-account-keypair.json': 'stake',
  'validator-keypair.json': 'identity',
  'vote-account-keypair.json': 'vote',
};
/** Names that a ledger of solana-test-validator itself contains. */
const FOREIGN = ['genesis.bin', 'rocksdb'];
/** Bytes after which the log starts again. */
const MAX_LOG = 64 * 1024 * 1024;

export class LedgerFolder {
  /** Where the ledger is kept between two runs. */
  readonly state: string;
  #log: number | undefined;
  #logged = 0;

  /**
   * Creates the folder if it is missing. A fresh start ignores the files of an earlier run. Throws StateFileError if the folder
   * cannot be used.
   */
  constructor(
    private readonly folder: string,
    private readonly anew: boolean,
  ) {
    this.state = path.join(folder, STATE);
    requireStraightWay(folder);
    requireFolder(folder);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new StateFileError(`The folder ${folder} cannot be made: ${textOf(error)}.`);
    }
    const foreign = FOREIGN.find((name) => existsSync(path.join(folder, name)));
    if (foreign !== undefined)
      throw new StateFileError(`${folder} holds a ledger of another validator (${foreign}); give another folder.`);
    // A link stops the start before anything is written.
    for (const name of [...Object.keys(KEYPAIRS), LOG]) fileAt(path.join(folder, name));
  }

  /** The seed in the faucet's keypair file, if the file exists. Throws StateFileError if the file is invalid. */
  faucetSeed(): Uint8Array | undefined {
    const file = path.join(this.folder, FAUCET);
    if (this.anew || !existsSync(file)) return undefined;
    const keypair = readKeypairFile(file);
    if (keypair === undefined) throw new StateFileError(`${file} is not a keypair file of 64 bytes.`);
    return keypair.subarray(0, 32);
  }

  /** Writes the keypair files and, from now on, the log. */
  begin(ledger: Ledger, ...greeting: readonly string[]): void {
    try {
      for (const [name, account] of Object.entries(KEYPAIRS))
        replaceFile(path.join(this.folder, name), JSON.stringify([...ledger.validator[account].secretKey]));
      const log = path.join(this.folder, LOG);
      this.#log = this.anew ? openEmpty(log) : openToAppend(log);
    } catch (error) {
      if (error instanceof StateFileError) throw error;
      throw new StateFileError(`The folder ${this.folder} cannot be written: ${textOf(error)}.`);
    }
    for (const line of greeting) this.#write(line);
    ledger.events.on((event) => this.#note(event));
  }

  close(): void {
    if (this.#log === undefined) return;
    this.#write('The service has ended');
    closeSync(this.#log);
    this.#log = undefined;
  }

  #note(event: LedgerEvent): void {
    if (event.kind === 'dead') this.#write(`slot ${event.slot} dead: ${logText(event.reason)}`);
    if (event.kind !== 'transaction' || event.record.isVote === true) return;
    const { slot, signature, meta } = event.record;
    const outcome = meta.err === null ? 'ok' : `failed ${JSON.stringify(meta.err)}`;
    this.#write([`slot ${slot} transaction ${signature} ${outcome}`, ...meta.logMessages.map(logText)].join('\n    '));
  }

  #write(line: string): void {
    if (this.#log === undefined) return;
    if (this.#logged > MAX_LOG) {
      closeSync(this.#log);
      this.#log = openEmpty(path.join(this.folder, LOG));
      this.#logged = 0;
    }
    this.#logged += writeSync(this.#log, `[${new Date().toISOString()}] ${line}\n`);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
