// Fetch the IDL that a program has published, from the active endpoint: for the program a panel names, the one under the
// cursor, or one that is typed.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { isPublicKey } from '../../core/values/keys';
import { fetchIdl, type FetchIdlParams, type FetchIdlResult } from '../../protocol/idls';
import { askAddress } from '../askAddress';
import { offerTrust } from '../runs';
import { plain } from '../words';
import type { CommandTable } from './command';
import { sayRefused } from './streams';

export interface IdlCommandDeps {
  readonly server: () => Promise<LanguageClient>;
  /** More is known of programs from now on. */
  readonly onFetched: () => void;
}

export function idlCommands({ server, onFetched }: IdlCommandDeps): CommandTable {
  return {
    async fetchIdl(named, endpoint) {
      if (!vscode.workspace.isTrusted) {
        await offerTrust();
        return;
      }
      const { l10n, window } = vscode;
      const isNamed = typeof named === 'string' && isPublicKey(named);
      const program = isNamed ? named : await askAddress(l10n.t('Fetch the IDL of a program from the chain'));
      if (program === undefined || !isPublicKey(program)) return;
      const params: FetchIdlParams = { program, ...(typeof endpoint === 'string' && { endpoint }) };
      const progress = {
        location: vscode.ProgressLocation.Notification,
        title: l10n.t('Fetching the IDL of {0}', program),
        cancellable: true,
      };
      const result = await window.withProgress(progress, async (_report, token) =>
        (await server()).sendRequest<FetchIdlResult>(fetchIdl, params, token),
      );
      if (result.kind === 'failed') {
        await sayRefused(result.error);
        return;
      }
      onFetched();
      const { name, endpoint: from, instructions, accounts, events, problems } = result;
      const told = l10n.t(
        'The IDL {0} was fetched from {1}: {2} instructions, {3} accounts, {4} events.',
        plain(name),
        plain(from),
        instructions,
        accounts,
        events,
      );
      if (problems.length === 0) void window.showInformationMessage(told);
      else void window.showWarningMessage(`${told} ${l10n.t('Left out: {0}.', plain(problems.join('; ')))}`);
    },
  };
}
