// Fetches the IDL that a program has published from the active endpoint: for the program that a panel names, the one under the
// cursor, or an address that the user types.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { isPublicKey } from '../../core/solana/chain/keys';
import { fetchIdl, type FetchIdlParams } from '../../protocol/idls';
import type { MissingEndpoint } from '../profiles/missingEndpoint';
import { askAddress } from '../shared/askAddress';
import { cancellable } from '../shared/cancellable';
import { offerTrust, sayRefused } from '../shared/refusal';
import { plain } from '../shared/words';
import type { CommandTable } from '../shared/command';

export interface IdlCommandDeps {
  readonly server: () => Promise<LanguageClient>;
  readonly endpoints: MissingEndpoint;
  /** More is known of programs from now on. */
  readonly onFetched: () => void;
}

export function idlCommands({ server, endpoints, onFetched }: IdlCommandDeps): CommandTable {
  return {
    async fetchIdl(named, endpoint) {
      if (!vscode.workspace.isTrusted) return offerTrust();
      if (!(await endpoints.settle(typeof endpoint === 'string' ? endpoint : undefined))) return;
      const { l10n, window } = vscode;
      const isNamed = typeof named === 'string' && isPublicKey(named);
      const program = isNamed ? named : await askAddress(l10n.t('Fetch the IDL of a program from the chain'));
      if (program === undefined || !isPublicKey(program)) return;
      const params: FetchIdlParams = { program, ...(typeof endpoint === 'string' && { endpoint }) };
      const result = await cancellable(l10n.t('Fetching the IDL of {0}', program), async (token) =>
        (await server()).sendRequest(fetchIdl, params, token),
      );
      if (result.kind === 'failed') return sayRefused(result.error);
      onFetched();
      const { name, endpoint: from, instructions, accounts, events, problems, isByFoundation } = result;
      const fetched = l10n.t(
        'The IDL {0} was fetched from {1}: {2} instructions, {3} accounts, {4} events.',
        plain(name),
        plain(from),
        instructions,
        accounts,
        events,
      );
      const message = isByFoundation ? `${fetched} ${l10n.t('The Solana Foundation published it.')}` : fetched;
      if (problems.length === 0) void window.showInformationMessage(message);
      else void window.showWarningMessage(`${message} ${l10n.t('Left out: {0}.', plain(problems.join('; ')))}`);
    },
  };
}
