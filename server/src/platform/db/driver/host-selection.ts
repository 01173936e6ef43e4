// From a URL to a session: how to log in, and which of several hosts to take.
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { type Host, parseConnectionUrl } from '../connection-url.ts'
import { Connection } from './connection.ts'
import { ConnectionError } from './connection-error.ts'
import { Statement } from './statement.ts'
import { durationMs, newForm } from './wire/statement-text.ts'

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
type HostRole = (typeof HOST_ROLES)[number]

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

/** Finds a host that will do, beginning with the one that did last. Each is asked once; the last refusal is told. */
export function createConnector(settings: ConnectionSettings): () => Promise<Connection> {
  const { hosts, hostRole: wanted } = settings
  let last = 0

  async function find(wish: HostRole): Promise<Connection> {
    let refusal: unknown
    for (let n = 0; n < hosts.length; n++) {
      const index = (last + n) % hosts.length
      try {
        const connection = await Connection.open(hosts[index] as Host, settings)
        if (await suits(connection, wish, settings.connectTimeoutMs)) {
          last = index
          return connection
        }
        refusal = new ConnectionError('CONNECTION_CLOSED', `No host of the database is ${wish}.`)
        await connection.close()
      } catch (error) {
        refusal = error
      }
    }
    throw refusal
  }

  return async () => {
    if (wanted !== 'prefer-standby') return find(wanted)
    return find('standby').catch(() => find('any'))
  }
}

async function suits(connection: Connection, wish: HostRole, timeoutMs: number): Promise<boolean> {
  if (wish === 'any') return true
  const { isStandby, isReadOnly } = await stateOf(connection, timeoutMs)
  if (wish === 'primary') return !isStandby
  if (wish === 'standby') return isStandby
  return wish === 'read-only' ? isReadOnly : !isReadOnly
}

/** Servers say so when they let us in. What stands between may keep it to itself: then they are asked. */
async function stateOf(
  connection: Connection,
  timeoutMs: number,
): Promise<{ isStandby: boolean; isReadOnly: boolean }> {
  const standby = connection.parameters.get('in_hot_standby')
  const readOnly = connection.parameters.get('default_transaction_read_only')
  if (standby && readOnly)
    return { isStandby: standby === 'on', isReadOnly: standby === 'on' || readOnly === 'on' }
  const question = new Statement(newForm(STATE, ''), undefined, true, true)
  const late = new ConnectionError(
    'CONNECT_TIMEOUT',
    'The database did not say in time whether it takes writes.',
  )
  const timer = setTimeout(() => connection.lose(late), timeoutMs)
  question.sendOver(connection)
  try {
    const [row] = (await question.answer) as { standby: boolean; readOnly: boolean }[]
    return { isStandby: row?.standby === true, isReadOnly: row?.readOnly === true }
  } catch (error) {
    connection.lose(error as Error)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const STATE = `select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::boolean as "readOnly"`
