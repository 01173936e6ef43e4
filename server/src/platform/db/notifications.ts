// LISTEN/NOTIFY on one channel for the whole service. A notification carries no data: listeners read the tables.
import type { Log } from '../log/log.ts'
import type { Pool } from './pool.ts'

type Listener = (id: string | null) => void
type NotificationBus = {
  notify(topic: string, id: string): void
  listen(topic: string, listener: Listener): () => void
  close(): void
}

const CHANNEL = 'cowrie'
const FLUSH_MS = 2
const PENDING_MAX = 10_000
const PAYLOAD_MAX = 200

/** Notifications are sent in batches, outside the transactions that caused them. All listeners share one connection. */
export function createNotificationBus(pool: Pool, onWarning: Log['warn'] = () => undefined): NotificationBus {
  const pending = new Set<string>()
  const listeners = new Map<string, Set<Listener>>()
  let timer: NodeJS.Timeout | undefined
  let isListening = false
  let closed = false

  async function flush(): Promise<void> {
    timer = undefined
    const payloads = [...pending]
    pending.clear()
    try {
      await pool.rows`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) payload`
    } catch (error) {
      // Listeners poll as well, so a lost notification causes only a delay.
      if (!closed) onWarning({ err: error }, 'database.notify.send_failed')
    }
  }

  function dispatch(payload: string): void {
    const space = payload.indexOf(' ')
    for (const listener of listeners.get(payload.slice(0, space)) ?? []) listener(payload.slice(space + 1))
  }

  function resync(): void {
    for (const ofTopic of listeners.values()) for (const listener of ofTopic) listener(null)
  }

  return {
    notify(topic, id) {
      if (closed || pending.size >= PENDING_MAX || id.length > PAYLOAD_MAX) return
      pending.add(`${topic} ${id}`)
      timer ??= setTimeout(flush, FLUSH_MS)
    },
    listen(topic, listener) {
      const all = listeners.get(topic) ?? new Set()
      listeners.set(topic, all.add(listener))
      if (!isListening) {
        isListening = true
        pool.listen({
          channel: CHANNEL,
          onNotification: dispatch,
          onListening: resync,
          onFailure: (error) => onWarning({ err: error }, 'database.notify.listen_failed'),
        })
      }
      return () => all.delete(listener)
    },
    close() {
      closed = true
      clearTimeout(timer)
      listeners.clear()
    },
  }
}
