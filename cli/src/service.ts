// Which service a command calls, and with which key: what was said on the line wins over the environment, and that over
// what a login has stored. A stored key is sent to the service it came from and to no other.
import { type Client, createClient } from '@cowrie/sdk'
import type { Values } from './command.ts'
import { type Credentials, serviceName } from './credentials.ts'
import type { Output } from './terminal/output.ts'
import { UsageError } from './wrong.ts'

export type KeySource = 'environment' | 'stored' | null
export type Service = { baseUrl: string; key: string | undefined; source: KeySource }
type Environment = Readonly<Record<string, string | undefined>>

const BASE_URL_DEFAULT = 'http://127.0.0.1:8080'

export async function chooseService(
  values: Values,
  env: Environment,
  { credentials, out }: { credentials: Credentials | null; out: Output },
): Promise<Service> {
  const named = String(values.server || values['base-url'] || env.COWRIE_URL || '')
  const given = env.COWRIE_API_KEY?.trim()
  // A key of the environment says nothing about what was signed in to here, so it does not go there.
  if (given) return { baseUrl: clean(named || BASE_URL_DEFAULT), key: given, source: 'environment' }

  const stored = await credentials?.read()
  if (credentials && stored?.exposed) {
    out.warn(`${credentials.path} ${stored.exposed}, so it is not used; run "chmod 600" on it.`)
    return { baseUrl: clean(named || BASE_URL_DEFAULT), key: undefined, source: null }
  }
  const baseUrl = clean(named || stored?.current || BASE_URL_DEFAULT)
  const key = stored?.services.get(serviceName(baseUrl))?.key
  return { baseUrl, key, source: key === undefined ? null : 'stored' }
}

export function connect(
  baseUrl: string,
  key: string | undefined,
  source: KeySource,
  timeoutMs: number | undefined,
): Client {
  try {
    return createClient({ baseUrl, key, timeoutMs, headers: { 'user-agent': 'cowrie-cli' } })
  } catch (error) {
    if (error instanceof TypeError)
      throw new UsageError(
        `${error.message.replace(/^key/, source === 'environment' ? 'COWRIE_API_KEY' : 'The key').replace(/^baseUrl/, 'The base URL')}.`,
      )
    throw error
  }
}

const clean = (url: string): string => url.replace(/\/+$/, '')
