// The OpenRPC documents that a project names: their methods are known to `check`. A faulty one is told on stderr and
// stops nothing.
import path from 'node:path';
import { useCustomMethods } from '../../core/methods/custom';
import { readOpenRpc } from '../../core/methods/openrpc';
import { projectSchemas } from './endpoints';
import { createFilePort } from './files';
import { escapeLine } from '../terminal';

/** Throws UsageError where `solana-rpc.json` itself cannot be understood. */
export async function loadSchemas(workspace: string): Promise<void> {
  const files = createFilePort(workspace);
  const from = path.join(workspace, 'solana-rpc.json');
  const documents = await Promise.all(
    (await projectSchemas(workspace)).map(async (name) => {
      const text = await files.read(name, from, 'schema');
      const document = text.ok
        ? readOpenRpc(text.value, path.basename(name))
        : { methods: [], faults: [{ place: 'the file', message: text.error.message }] };
      for (const { place, message } of document.faults)
        process.stderr.write(`${escapeLine(name)}: ${escapeLine(place)}: ${escapeLine(message)}\n`);
      return document.methods;
    }),
  );
  useCustomMethods(documents.flat());
}
