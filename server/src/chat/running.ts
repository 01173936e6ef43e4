// Answers that this process is writing. One listener and one poll serve all of them: they say that they are alive, and
// hear when somebody wants no more, wherever that was said.
import { before } from '../kernel/clock.ts'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/db/tx.ts'
import { beat, type MessageId, wanted } from './messages-sql.ts'

/** A notification only wakes; what somebody wants stands in the row. */
export const STOP_TOPIC = 'chat.stop'
const POLL_MS = 1_000
const BEAT = { seconds: 20 }

export type Watched = {
  /** The answer is no longer wanted, or has been given up. */
  stop(): void
  /** It goes on, so its key stays its own: called now and then. */
  renew(): Promise<void>
}
type Group = { join(id: MessageId, answer: Watched): void; leave(id: MessageId): void }

const groups = new WeakMap<Db, Group>()

/** Looks after an answer while it is written. Whoever gets the undo calls it. */
export function watchAnswer(app: App, id: MessageId, answer: Watched): () => void {
  const group = groups.get(app.db) ?? createGroup(app)
  groups.set(app.db, group)
  group.join(id, answer)
  return () => group.leave(id)
}

function createGroup(app: App): Group {
  const members = new Map<MessageId, Watched>()
  let unlisten = () => {}
  let timer: NodeJS.Timeout | undefined

  function heard(id: string | null): void {
    if (id !== null) members.get(id as MessageId)?.stop()
  }

  // While the database is away nobody is stopped: the next poll finds out.
  async function poll(): Promise<void> {
    try {
      await look([...members.keys()])
    } catch (error) {
      app.log.warn({ err: error, answers: members.size }, 'running answers could not be looked after')
    } finally {
      if (members.size > 0) timer = setTimeout(poll, POLL_MS).unref()
    }
  }

  /** The one thing here that looks across organisations; it reads no words of anybody. */
  async function look(ids: readonly MessageId[]): Promise<void> {
    const { beaten, goOn } = await app.db.tx('platform', async (tx) => ({
      beaten: await beat(tx, ids, before(tx.now, BEAT)),
      goOn: new Set((await wanted(tx, ids)).map(({ id }) => id)),
    }))
    for (const id of ids) if (!goOn.has(id)) members.get(id)?.stop()
    await Promise.all(beaten.map(({ id }) => members.get(id)?.renew()))
  }

  return {
    join(id, answer) {
      if (members.size === 0) {
        unlisten = app.db.listen(STOP_TOPIC, heard)
        timer = setTimeout(poll, POLL_MS).unref()
      }
      members.set(id, answer)
    },
    leave(id) {
      members.delete(id)
      if (members.size > 0) return
      unlisten()
      clearTimeout(timer)
    },
  }
}
