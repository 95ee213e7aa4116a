// The methods that a project names: OpenRPC documents and method packs are known to `check`. A faulty document is
// reported on stderr and stops nothing.
import path from 'node:path';
import { MethodTable } from '../../core/requests/methods';
import { readOpenRpc } from '../../core/requests/methods/openrpc';
import type { FileContext } from '../../core/requests/document/variables/variables';
import { profileFacts } from '../../core/requests/document/packs';
import { isPackId } from '../../core/service/providers/packIds';
import { projectMethods, type FindEndpoint } from './endpoints';
import { createFilePort } from './files';
import { escapeLine } from '../terminal';

/**
 * Reads the documents and answers what files may use: the project's packs, and those of its endpoints, or of those that
 * `find` knows. Throws UsageError where `solana-rpc.json` itself cannot be understood.
 */
export async function loadMethods(
  workspace: string,
  find?: FindEndpoint,
): Promise<Pick<FileContext, 'packs' | 'endpoint'> & { readonly methods: MethodTable }> {
  const files = createFilePort(workspace);
  const from = path.join(workspace, 'solana-rpc.json');
  const { schemas, packs, endpointNamed } = await projectMethods(workspace);
  const documents = await Promise.all(
    schemas.map(async (name) => {
      const text = await files.read(name, from, 'schema');
      const document = text.ok
        ? readOpenRpc(text.value, path.basename(name))
        : { methods: [], faults: [{ place: 'the file', message: text.error.message }] };
      for (const { place, message } of document.faults)
        process.stderr.write(`${escapeLine(name)}: ${escapeLine(place)}: ${escapeLine(message)}\n`);
      return document.methods;
    }),
  );
  return {
    methods: new MethodTable(documents.flat()),
    packs: packs.filter(isPackId),
    endpoint: (name) => profileFacts((find ?? endpointNamed)(name)),
  };
}
