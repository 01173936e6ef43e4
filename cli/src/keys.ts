// What several commands do with keys.
import { type Client, CowrieError } from '@cowrie/sdk'
import type { Values } from './command.ts'
import type { Credential } from './credentials.ts'

const PAGES_MAX = 20
/** Someone who signs out waits for this long at most. */
const REVOKE_TIMEOUT_MS = 10_000

/** `--scopes a,b --scopes c`; undefined when none were named. The service knows which there are. */
export function scopesIn<T extends string>({ scopes }: Values): T[] | undefined {
  if (!Array.isArray(scopes)) return undefined
  return scopes.flatMap((list) => String(list).split(',')).filter((scope) => scope !== '') as T[]
}

/** The id of a key, which its list shows by how the key begins; null when it is not there. */
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

/** Ends a stored key at the service, with the key itself. Null when it works no more; otherwise why it still may. */
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
