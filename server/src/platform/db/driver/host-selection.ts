// Connects to the first of several hosts that has the hostRole role.
import type { Host } from '../connection-url.ts'
import { Connection } from './connection.ts'
import { ConnectionError } from './connection-error.ts'
import type { ConnectionSettings, HostRole } from './connection-settings.ts'
import { Statement } from './statement.ts'
import { newForm } from './wire/statement-text.ts'

/** Tries each host once, starting with the last one that worked. Throws the error of the last host when none has the role. */
export function createConnector(settings: ConnectionSettings): () => Promise<Connection> {
  const { hosts, hostRole } = settings
  let last = 0

  async function connect(role: HostRole): Promise<Connection> {
    let lastError: unknown
    for (let n = 0; n < hosts.length; n++) {
      const index = (last + n) % hosts.length
      try {
        const connection = await Connection.open(hosts[index] as Host, settings)
        if (await hasRole(connection, role, settings.connectTimeoutMs)) {
          last = index
          return connection
        }
        lastError = new ConnectionError('CONNECTION_CLOSED', `No host of the database has the role ${role}.`)
        await connection.close()
      } catch (error) {
        lastError = error
      }
    }
    throw lastError
  }

  return async () => {
    if (hostRole !== 'prefer-standby') return connect(hostRole)
    return connect('standby').catch(() => connect('any'))
  }
}

async function hasRole(connection: Connection, role: HostRole, timeoutMs: number): Promise<boolean> {
  if (role === 'any') return true
  const { isStandby, isReadOnly } = await stateOf(connection, timeoutMs)
  if (role === 'primary') return !isStandby
  if (role === 'standby') return isStandby
  return role === 'read-only' ? isReadOnly : !isReadOnly
}

/** A server reports its state at login. A pooler may not pass that on: then it is queried. */
async function stateOf(
  connection: Connection,
  timeoutMs: number,
): Promise<{ isStandby: boolean; isReadOnly: boolean }> {
  const standby = connection.parameters.get('in_hot_standby')
  const readOnly = connection.parameters.get('default_transaction_read_only')
  if (standby && readOnly)
    return { isStandby: standby === 'on', isReadOnly: standby === 'on' || readOnly === 'on' }
  const query = new Statement(newForm(STATE, ''), undefined, true, true)
  const late = new ConnectionError(
    'CONNECT_TIMEOUT',
    'The database did not report in time whether it accepts writes.',
  )
  const timer = setTimeout(() => connection.lose(late), timeoutMs)
  query.sendOver(connection)
  try {
    const [row] = (await query.answer) as { standby: boolean; readOnly: boolean }[]
    return { isStandby: row?.standby === true, isReadOnly: row?.readOnly === true }
  } catch (error) {
    connection.lose(error as Error)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const STATE = `select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::boolean as "readOnly"`
