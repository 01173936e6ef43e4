// How to log in: a connection URL and the options of its pool, read once.
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { type Host, parseConnectionUrl } from '../connection-url.ts'
import { durationMs } from './wire/statement-text.ts'

export type SessionOptions = {
  /** How long one host may take to let us in. */
  readonly connectTimeoutMs: number
  /** Undefined: that of the server, and a silent server is not noticed. */
  readonly statementTimeoutMs?: number | undefined
  /** How much later than the statement timeout an answer may come. */
  readonly silenceMs: number
  /** Settings of the session, part of the startup message. What the URL says comes first. */
  readonly session: Readonly<Record<string, string | number>>
}

export type ConnectionSettings = Omit<SessionOptions, 'session'> & {
  readonly hosts: readonly Host[]
  readonly user: string
  readonly password: string
  readonly database: string
  readonly ssl: false | ConnectionOptions
  /** Where the server has no TLS, go on without. */
  readonly isPlainAllowed: boolean
  readonly sslNegotiation: 'direct' | undefined
  readonly hostRole: HostRole
  /** Whether the server keeps named statements between transactions. PgBouncer may not. */
  readonly prepare: boolean
  readonly startup: Readonly<Record<string, string>>
}

const HOST_ROLES = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const
export type HostRole = (typeof HOST_ROLES)[number]

const OURS = new Set([
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
  const own = Object.entries(session).map(([name, value]) => [name, String(value)])
  const asked = [...parameters].filter(([name]) => !OURS.has(name))
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
    startup: { user, database, ...Object.fromEntries([...own, ...asked]) },
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
  // As libpq does: with a root certificate, `require` checks who signed the certificate, but not the name of the host.
  const isChecked = !isPlainAllowed && (mode !== 'require' || root !== undefined)
  const ca = root && root !== 'system' ? { ca: readFileSync(root, 'utf8') } : {}
  const anyName = mode === 'require' && root !== 'system' ? { checkServerIdentity: () => undefined } : {}
  return { ssl: { rejectUnauthorized: isChecked, ...ca, ...anyName }, isPlainAllowed, sslNegotiation }
}
