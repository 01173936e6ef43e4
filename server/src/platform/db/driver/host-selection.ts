// Connects to the first of several hosts that has the wanted role.
import type { Host } from '../connection-url.ts'
import { Connection } from './connection.ts'
import { ConnectionError } from './connection-error.ts'
import type { ConnectionSettings, HostRole } from './connection-settings.ts'
import { Statement } from './statement.ts'
import { newForm } from './wire/statement-text.ts'

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
