// The IDLs of the folder that a command works in, where the editor looks for them too. A faulty one is reported on stderr
// and stops nothing.
import path from 'node:path';
import type { Programs } from '../../core/solana/decode/decoded';
import { programsOf } from '../../core/solana/decode/idl/registry';
import { IDL_PLACES, readIdlFiles } from '../../runner/idlFiles';
import { createFilePort } from './files';
import { escapeLine } from '../terminal';

/** Reads them as they are now. Links that lead out of `workspace`, an absolute path, are not followed. */
export async function loadIdls(workspace: string): Promise<Programs> {
  const files = createFilePort(workspace);
  const from = path.join(workspace, 'solana-rpc.json');
  const places = IDL_PLACES.map((name) => ({ path: name, folder: workspace }));
  return programsOf(
    await readIdlFiles(places, {
      read: (file) => files.read(file.path, from, 'idl'),
      report: (problem) => void process.stderr.write(`${escapeLine(problem)}\n`),
    }),
  );
}
