// Rotates a key of the local service for the client, which opens no socket. The new key goes back over the key channel.
import { invalidRequest } from '../../core/service/errors';
import { originOf } from '../../core/service/profiles/origin';
import type { RotateLocalKeyParams, RotateLocalKeyResult } from '../../protocol/usage';
import type { Keys } from './keys';
import type { Window } from '../window';

interface LocalKeyRotation extends RotateLocalKeyParams {
  /** The name under which the new key is delivered. */
  readonly handle: string;
}

export async function rotateOnLocalService(
  window: Window,
  keys: Keys,
  { adminUrl, keyId, handle }: LocalKeyRotation,
  signal: AbortSignal,
): Promise<RotateLocalKeyResult> {
  const permit = window.permit();
  if (!permit.ok) return { kind: 'refused', error: permit.error };
  const token = await keys.adminToken(originOf(adminUrl) ?? '', signal);
  if (token === undefined)
    return { kind: 'refused', error: invalidRequest('This is not the local service that runs in this window.') };
  const { createLocalAdmin } = await import('../../net/transports');
  const admin = createLocalAdmin(adminUrl, token);
  if (!admin.ok) return { kind: 'refused', error: admin.error };
  try {
    const issued = await admin.value.rotate(keyId, signal);
    if (!issued.ok) return { kind: 'refused', error: issued.error };
    keys.deliver(handle, issued.value.keyId, issued.value.key);
    return { kind: 'rotated', handle };
  } finally {
    await admin.value.close();
  }
}
