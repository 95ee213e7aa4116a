// The endpoints as the user's own settings of an editor have them on disk.
import { readFileSync } from 'node:fs';
import { filesBelow } from '../process/leaks';
import type { Editor } from './editor';

/** The endpoint of a name as it is written; waits until it is there and `isReady` finds it so. */
export async function ownEndpoint(
  { workbench, profileFolder }: Editor,
  name: string,
  isReady: (endpoint: Readonly<Record<string, unknown>>) => boolean = () => true,
): Promise<Readonly<Record<string, unknown>>> {
  return workbench.until(`the settings have the endpoint ${name}`, () => {
    const files = [...filesBelow(profileFolder)].filter((one) => one.endsWith('settings.json'));
    const text = files.map((one) => readFileSync(one, 'utf8')).find((one) => one.includes('solanaRpc.endpoints'));
    const { 'solanaRpc.endpoints': endpoints = [] } = JSON.parse(text ?? '{}') as {
      readonly 'solanaRpc.endpoints'?: readonly Readonly<Record<string, unknown>>[];
    };
    const found = endpoints.find((one) => one['name'] === name);
    return Promise.resolve(found !== undefined && isReady(found) ? found : undefined);
  });
}
