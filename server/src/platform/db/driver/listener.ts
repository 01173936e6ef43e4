// LISTEN on a connection that does nothing else. One that is lost is opened anew until the listener is closed.
import type { Connection } from './connection.ts'
import { ConnectionError } from './connection-error.ts'
import { Statement } from './statement.ts'
import { newForm } from './wire/statement-text.ts'

export type ListenOptions = {
  readonly channel: string
  readonly onNotification: (payload: string) => void
  /** It listens from here on; what was sent before, and while it did not listen, is missed. */
  readonly onListening: () => void
  readonly onFailure: (error: Error) => void
}

const BACKOFF_MS = 50
const BACKOFF_MAX_MS = 5_000
/** A connection that died without a word is noticed after this time, and the silence that a statement may take. */
const PROBE_EVERY_MS = 60_000

/** Returns the end of it. */
export function listen(find: () => Promise<Connection>, options: ListenOptions): () => void {
  const { channel, onNotification, onListening, onFailure } = options
  let connection: Connection | undefined
  let isClosed = false
  let failures = 0
  let retry: NodeJS.Timeout | undefined
  let probe: NodeJS.Timeout | undefined

  async function start(): Promise<void> {
    let attached: Connection | undefined
    try {
      const opened = await find()
      if (isClosed) return await opened.close()
      if (opened.lost) throw opened.lost
      connection = attached = opened
      opened.attach({ onIdle: () => undefined, onStale: () => undefined, onLost: again })
      opened.onNotification(onNotification)
      await ask(opened, `listen ${channel}`)
      failures = 0
      // A lost probe is the loss of the connection, which `onLost` hears of.
      probe = setInterval(() => void ask(opened, 'select 1').catch(() => undefined), PROBE_EVERY_MS).unref()
      onListening()
    } catch (error) {
      // One that is attached reports its loss by itself, once, and may already have done so.
      if (attached) attached.lose(error as Error)
      else again(undefined, error as Error)
    }
  }

  function again(_lost: unknown, error: Error): void {
    connection = undefined
    clearInterval(probe)
    if (isClosed) return
    onFailure(error)
    const pauseMs = Math.min(BACKOFF_MS * 2 ** failures++, BACKOFF_MAX_MS) * (1 + Math.random())
    retry = setTimeout(() => void start(), pauseMs)
    retry.unref()
  }

  void start()
  return () => {
    isClosed = true
    clearTimeout(retry)
    clearInterval(probe)
    connection?.lose(new ConnectionError('CONNECTION_ENDED', 'The listener was closed.'))
  }
}

function ask(connection: Connection, text: string): Promise<object[]> {
  const statement = new Statement(newForm(text, ''), undefined, true, true)
  statement.sendOver(connection)
  return statement.answer
}
