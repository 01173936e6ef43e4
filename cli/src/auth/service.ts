// Chooses the service and the key. Precedence: command line, environment, stored login. A stored key is sent only to the
// service that issued it.
import { textOf, type Values } from '../command.ts'
import { Failure, UsageError } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import type { Output } from '../terminal/output.ts'
import { type Credentials, keyFor, serviceName } from './credentials.ts'

export type KeySource = 'environment' | 'stored' | null
export type Service = {
  baseUrl: string
  key: string | undefined
  source: KeySource
  /** The chosen organisation, by id or name. */
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
    /** The organisation in the settings. */
    usualOrg: string | undefined
    /** Whether the command also works without a key. */
    isKeyless: boolean
  },
): Promise<Service> {
  const org = textOf(values, 'org') || usualOrg
  const named = String(values.server || values['base-url'] || env.COWRIE_URL || '')
  const given = env.COWRIE_API_KEY?.trim()
  // A key from the environment may belong to another service, so it is not sent to the stored address.
  if (given) {
    if (values.org && !isKeyless)
      throw new UsageError('COWRIE_API_KEY belongs to one organisation. Remove it or --org.')
    return { baseUrl: clean(named || BASE_URL_DEFAULT), key: given, source: 'environment', org }
  }

  const stored = await credentials?.read()
  if (credentials && stored?.exposed) {
    out.warn(`${credentials.path} ${stored.exposed} and is ignored. Run "chmod 600" on it.`)
    return { baseUrl: clean(named || BASE_URL_DEFAULT), key: undefined, source: null, org }
  }
  const baseUrl = clean(named || stored?.current || BASE_URL_DEFAULT)
  const key = keyFor(stored?.services.get(serviceName(baseUrl)), org)?.key
  if (key === undefined && org !== undefined && !isKeyless)
    throw new Failure('signed_out', `No key is stored for the organisation "${org}" at ${baseUrl}.`, {
      exit: EXIT.signIn,
      next: `Run "cowrie auth login --org ${org}", or see "cowrie org list".`,
    })
  return { baseUrl, key, source: key === undefined ? null : 'stored', org }
}

const clean = (url: string): string => url.replace(/\/+$/, '')
