// One channel for the whole product. A notification only wakes; what it is about is read from tables.
import type { Log } from '../log/log.ts'
import type { Pool } from './pool.ts'

type Listener = (id: string | null) => void
type NotificationBus = {
  notify(topic: string, id: string): void
  listen(topic: string, heard: Listener): () => void
  close(): void
}

const CHANNEL = 'cowrie'
const FLUSH_MS = 2
const PENDING_MAX = 10_000
const PAYLOAD_MAX = 200

/** Notifications leave in batches outside the transactions that caused them; listeners share one connection. */
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
      // Followers poll as well, so a lost wake-up costs time and no fact.
      if (!closed) onWarning({ err: error }, 'database.notify.send_failed')
    }
  }

  function dispatch(payload: string): void {
    const space = payload.indexOf(' ')
    for (const heard of listeners.get(payload.slice(0, space)) ?? []) heard(payload.slice(space + 1))
  }

  function resync(): void {
    for (const heardByTopic of listeners.values()) for (const heard of heardByTopic) heard(null)
  }

  return {
    notify(topic, id) {
      if (closed || pending.size >= PENDING_MAX || id.length > PAYLOAD_MAX) return
      pending.add(`${topic} ${id}`)
      timer ??= setTimeout(flush, FLUSH_MS)
    },
    listen(topic, heard) {
      const all = listeners.get(topic) ?? new Set()
      listeners.set(topic, all.add(heard))
      if (!isListening) {
        isListening = true
        pool.listen({
          channel: CHANNEL,
          onNotification: dispatch,
          onListening: resync,
          onFailure: (error) => onWarning({ err: error }, 'database.notify.listen_failed'),
        })
      }
      return () => all.delete(heard)
    },
    close() {
      closed = true
      clearTimeout(timer)
      listeners.clear()
    },
  }
}
