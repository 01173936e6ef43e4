// Helpers for commands that use API keys.
import { type AuthDeviceStartBody, type Client, CowrieError } from '@cowrie/sdk'
import type { Values } from '../command.ts'
import type { Credential } from './credentials.ts'

export type Scope = NonNullable<AuthDeviceStartBody['scopes']>[number]

export const SCOPES: readonly Scope[] = ['agent:run', 'wallet:read', 'metrics:read', 'keys:manage']

const PAGES_MAX = 20
/** The longest wait at sign-out. */
const REVOKE_TIMEOUT_MS = 10_000

/** `--scopes a,b --scopes c`; undefined without any. The service validates them. */
export function scopesIn<T extends string>({ scopes }: Values): T[] | undefined {
  if (!Array.isArray(scopes)) return undefined
  return scopes.flatMap((list) => String(list).split(',')).filter((scope) => scope !== '') as T[]
}

/** The id of a key, found by its prefix in the list; null when it is absent. */
export async function findKeyId(
  client: Client,
  key: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const { keys, nextCursor } = await client.keys.list({ limit: 200, cursor }, { signal })
    const found = keys.find(({ prefix }) => prefix !== '' && key.startsWith(`${prefix}_`))
    if (found) return found.id
    if (nextCursor === null) return null
    cursor = nextCursor
  }
  return null
}

/** Revokes a stored key with the key itself. Null when it is revoked; otherwise the error. */
export async function revokeStored(
  client: Client,
  { id, key }: Credential,
  signal: AbortSignal | undefined,
): Promise<CowrieError | null> {
  const options = { signal, retries: 0, timeoutMs: REVOKE_TIMEOUT_MS }
  try {
    const found = id ?? (await findKeyId(client, key, signal))
    if (found !== null) await client.keys.revoke(found, options)
    return null
  } catch (error) {
    if (!(error instanceof CowrieError)) throw error
    return error.status === 401 || error.status === 404 ? null : error
  }
}
