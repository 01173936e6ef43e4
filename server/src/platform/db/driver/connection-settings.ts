// How to log in: a connection URL and the options of its pool, read once.
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { type Host, parseConnectionUrl } from '../connection-url.ts'
import { durationMs } from './wire/statement-text.ts'

export type SessionOptions = {
  /** Timeout for connecting and logging in to one host. */
  readonly connectTimeoutMs: number
  /** Undefined: that of the server. Then a silent server is not detected. */
  readonly statementTimeoutMs?: number | undefined
  /** How long after the statement timeout a silent server is considered dead. */
  readonly silenceMs: number
  /** Session settings in the startup message. Parameters of the URL take precedence. */
  readonly session: Readonly<Record<string, string | number>>
}

export type ConnectionSettings = Omit<SessionOptions, 'session'> & {
  readonly hosts: readonly Host[]
  readonly user: string
  readonly password: string
  readonly database: string
  readonly ssl: false | ConnectionOptions
  /** Whether to continue without TLS when the server does not support it. */
  readonly isPlainAllowed: boolean
  readonly sslNegotiation: 'direct' | undefined
  readonly hostRole: HostRole
  /** Whether the server keeps prepared statements between transactions. PgBouncer may not. */
  readonly prepare: boolean
  readonly startup: Readonly<Record<string, string>>
}

const HOST_ROLES = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const
export type HostRole = (typeof HOST_ROLES)[number]

const DRIVER_PARAMETERS = new Set([
  'sslmode',
  'ssl',
  'sslrootcert',
  'sslnegotiation',
  'target_session_attrs',
  'prepare',
  'connect_timeout',
])

export function readConnectionSettings(
  url: string,
  { session, ...options }: SessionOptions,
): ConnectionSettings {
  const { parameters, ...address } = parseConnectionUrl(url)
  const { user, database } = address
  const defaults = Object.entries(session).map(([name, value]) => [name, String(value)])
  const fromUrl = [...parameters].filter(([name]) => !DRIVER_PARAMETERS.has(name))
  const statementTimeout = parameters.get('statement_timeout')
  const seconds = Number(parameters.get('connect_timeout') ?? 0)
  return {
    ...options,
    ...address,
    ...tlsOf(parameters),
    ...(statementTimeout !== undefined && { statementTimeoutMs: durationMs(statementTimeout) }),
    ...(seconds > 0 && { connectTimeoutMs: seconds * 1_000 }),
    hostRole: readHostRole(parameters.get('target_session_attrs')),
    prepare: parameters.get('prepare') !== 'false',
    startup: { user, database, ...Object.fromEntries([...defaults, ...fromUrl]) },
  }
}

function readHostRole(text = process.env.PGTARGETSESSIONATTRS ?? 'any'): HostRole {
  const found = HOST_ROLES.find((each) => each === text)
  if (!found)
    throw new Error(`target_session_attrs=${text} is not supported; use one of ${HOST_ROLES.join(', ')}.`)
  return found
}

function tlsOf(
  parameters: ReadonlyMap<string, string>,
): Pick<ConnectionSettings, 'ssl' | 'isPlainAllowed' | 'sslNegotiation'> {
  const root = parameters.get('sslrootcert')
  const mode = parameters.get('sslmode') ?? parameters.get('ssl') ?? (root ? 'verify-full' : 'disable')
  const isPlainAllowed = mode === 'prefer' || mode === 'allow'
  const sslNegotiation = parameters.get('sslnegotiation') === 'direct' ? ('direct' as const) : undefined
  if (mode === 'disable' || mode === 'false') return { ssl: false, isPlainAllowed, sslNegotiation: undefined }
  // As in libpq: with a root certificate, `require` verifies the issuer of the certificate but not the host name.
  const isChecked = !isPlainAllowed && (mode !== 'require' || root !== undefined)
  const ca = root && root !== 'system' ? { ca: readFileSync(root, 'utf8') } : {}
  const anyName = mode === 'require' && root !== 'system' ? { checkServerIdentity: () => undefined } : {}
  return { ssl: { rejectUnauthorized: isChecked, ...ca, ...anyName }, isPlainAllowed, sslNegotiation }
}
