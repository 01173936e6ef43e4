// Which service a command calls, and with which key: what was said on the line wins over the environment, and that over
// what a login has stored. A stored key is sent to the service it came from and to no other.
import { type Client, createClient } from '@cowrie/sdk'
import { textOf, type Values } from './command.ts'
import { type Credentials, keyFor, serviceName } from './credentials.ts'
import { EXIT } from './exits.ts'
import type { Output } from './terminal/output.ts'
import { VERSION } from './version.ts'
import { Failure, UsageError } from './wrong.ts'

export type KeySource = 'environment' | 'stored' | null
export type Service = {
  baseUrl: string
  key: string | undefined
  source: KeySource
  /** The organisation that was asked for, by id or name. */
  org: string | undefined
}
type Environment = Readonly<Record<string, string | undefined>>

const BASE_URL_DEFAULT = 'http://127.0.0.1:8080'

export async function chooseService(
  values: Values,
  env: Environment,
  {
    credentials,
    out,
    usualOrg,
    isKeyless,
  }: {
    credentials: Credentials | null
    out: Output
    /** The organisation of the settings. */
    usualOrg: string | undefined
    /** Whether the command can do without a key, so that a missing one is no failure yet. */
    isKeyless: boolean
  },
): Promise<Service> {
  const org = textOf(values, 'org') || usualOrg
  const named = String(values.server || values['base-url'] || env.COWRIE_URL || '')
  const given = env.COWRIE_API_KEY?.trim()
  // A key of the environment says nothing about what was signed in to here, so it does not go there.
  if (given) {
    if (values.org && !isKeyless)
      throw new UsageError(
        'COWRIE_API_KEY belongs to one organisation, so --org has no effect: leave one of them out.',
      )
    return { baseUrl: clean(named || BASE_URL_DEFAULT), key: given, source: 'environment', org }
  }

  const stored = await credentials?.read()
  if (credentials && stored?.exposed) {
    out.warn(`${credentials.path} ${stored.exposed}, so it is not used; run "chmod 600" on it.`)
    return { baseUrl: clean(named || BASE_URL_DEFAULT), key: undefined, source: null, org }
  }
  const baseUrl = clean(named || stored?.current || BASE_URL_DEFAULT)
  const key = keyFor(stored?.services.get(serviceName(baseUrl)), org)?.key
  if (key === undefined && org !== undefined && !isKeyless)
    throw new Failure('signed_out', `No key is kept for the organisation "${org}" at ${baseUrl}.`, {
      exit: EXIT.signIn,
      next: `Run "cowrie auth login --org ${org}", or see "cowrie org list".`,
    })
  return { baseUrl, key, source: key === undefined ? null : 'stored', org }
}

export function connect(
  baseUrl: string,
  key: string | undefined,
  source: KeySource,
  timeoutMs: number | undefined,
): Client {
  try {
    return createClient({ baseUrl, key, timeoutMs, headers: { 'user-agent': `cowrie-cli/${VERSION}` } })
  } catch (error) {
    if (error instanceof TypeError)
      throw new UsageError(
        `${error.message.replace(/^key/, source === 'environment' ? 'COWRIE_API_KEY' : 'The key').replace(/^baseUrl/, 'The base URL')}.`,
      )
    throw error
  }
}

const clean = (url: string): string => url.replace(/\/+$/, '')
