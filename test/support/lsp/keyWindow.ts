// A window of the editor without the editor: the client's own vault and broker over a storage that windows share, with
// the server as the editor starts it.
import { KeyBroker } from '../../../client/keys/keyBroker';
import { KeyVault } from '../../../client/keys/keyVault';
import type { PlacedProfile } from '../../../core/service/profiles/profile';
import type { ExecuteResult } from '../../../protocol/lsp';
import { startServer, type RunningServer } from './serverProcess';
import type { SharedSecrets } from './sharedSecrets';

const FILE = 'file:///project/requests.jsonrpc';
const SEND = '### Slot\n{ "method": "getSlot" }\n';

export interface KeyWindow {
  readonly vault: KeyVault;
  readonly server: RunningServer;
  /** Puts the text into the window's file and gives its address. */
  readonly show: (text: string) => Promise<string>;
  /** Sends the first block of the text, one request for the slot by default. */
  readonly send: (text?: string) => Promise<ExecuteResult>;
}

export async function openKeyWindow(
  t: { after(done: () => Promise<void>): void },
  secrets: SharedSecrets,
  profiles: readonly PlacedProfile[],
  trusted = true,
): Promise<KeyWindow> {
  const vault = new KeyVault(secrets);
  vault.onDidChange(({ record, secret }) => {
    if (!secret) return;
    for (const origin of new Set(Object.values(record.origins)))
      server.push({ kind: 'revoke', origin, type: record.type });
  });
  const broker = new KeyBroker({ vault, trusted: () => trusted, now: Date.now });
  const server = await startServer({
    window: { profiles, endpoint: profiles[0]?.profile.name, trusted },
    answer: (request) => broker.answer(request),
  });
  t.after(async () => {
    vault.dispose();
    await server.stop();
  });
  let version = 0;
  const show = async (text: string): Promise<string> => {
    await server.open(FILE, text);
    version++;
    return FILE;
  };
  return {
    vault,
    server,
    show,
    send: async (text = SEND) => {
      const uri = await show(text);
      return server.connection.sendRequest('solanaRpc/execute', { uri, version, lines: [0] });
    },
  };
}
