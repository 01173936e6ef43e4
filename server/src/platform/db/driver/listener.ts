// LISTEN on a separate connection. A lost connection is opened again until the listener is closed.
import type { Connection } from './connection.ts'
import { ConnectionError } from './connection-error.ts'
import { Statement } from './statement.ts'
import { newForm } from './wire/statement-text.ts'

export type ListenOptions = {
  readonly channel: string
  readonly onNotification: (payload: string) => void
  /** Listening has started. Notifications that were sent before are missed. */
  readonly onListening: () => void
  readonly onFailure: (error: Error) => void
}

const BACKOFF_MS = 50
const BACKOFF_MAX_MS = 5_000
/** A dead connection is detected after this interval plus the time that a statement may be silent. */
const PROBE_EVERY_MS = 60_000

/** Returns a function that stops listening. */
export function listen(connect: () => Promise<Connection>, options: ListenOptions): () => void {
  const { channel, onNotification, onListening, onFailure } = options
  let connection: Connection | undefined
  let isClosed = false
  let failures = 0
  let retry: NodeJS.Timeout | undefined
  let probe: NodeJS.Timeout | undefined

  async function start(): Promise<void> {
    let attached: Connection | undefined
    try {
      const opened = await connect()
      if (isClosed) return await opened.close()
      if (opened.lost) throw opened.lost
      connection = attached = opened
      opened.attach({ onIdle: () => undefined, onStale: () => undefined, onLost: retryLater })
      opened.onNotification(onNotification)
      await run(opened, `listen ${channel}`)
      failures = 0
      // A failed probe means that the connection is lost, which `onLost` handles.
      probe = setInterval(() => void run(opened, 'select 1').catch(() => undefined), PROBE_EVERY_MS).unref()
      onListening()
    } catch (error) {
      // An attached connection reports its loss itself, once, and may already have done so.
      if (attached) attached.lose(error as Error)
      else retryLater(undefined, error as Error)
    }
  }

  function retryLater(_lost: unknown, error: Error): void {
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

function run(connection: Connection, text: string): Promise<object[]> {
  const statement = new Statement(newForm(text, ''), undefined, true, true)
  statement.sendOver(connection)
  return statement.answer
}
