// Answers that this process is writing. One listener and one poll serve all of them: they say that they are alive, and
// hear when somebody wants no more, wherever that was said.
import { before } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { RENEW_MS } from '../../kernel/lease.ts'
import type { App } from '../../platform/app.ts'
import type { Db, TenantScope } from '../../platform/db/tx.ts'
import { findUnstopped, type MessageId, renewLeases } from '../threads/messages-sql.ts'

/** A notification only wakes; what somebody wants stands in the row. */
export const STOP_TOPIC = 'chat.stop'
const POLL_MS = 1_000
const RENEW_INTERVAL = { ms: RENEW_MS }

export type ActiveAnswer = {
  readonly org: OrgId
  /** The answer is no longer wanted, or has been given up. */
  stop(): void
  /** It goes on, so its key stays its own: called now and then. */
  renew(): Promise<void>
}
type Answers = readonly (readonly [MessageId, ActiveAnswer])[]
type Group = { join(id: MessageId, answer: ActiveAnswer): void; leave(id: MessageId): void }

const groups = new WeakMap<Db, Group>()

/** Looks after an answer while it is written. Whoever gets the undo calls it. */
export function watchAnswer(app: App, id: MessageId, answer: ActiveAnswer): () => void {
  const group = groups.get(app.db) ?? createGroup(app)
  groups.set(app.db, group)
  group.join(id, answer)
  return () => group.leave(id)
}

function createGroup(app: App): Group {
  const members = new Map<MessageId, ActiveAnswer>()
  let unlisten = () => {}
  let timer: NodeJS.Timeout | undefined

  function onStopNotification(id: string | null): void {
    if (id !== null) members.get(id as MessageId)?.stop()
  }

  /** Places are looked at beside each other: one that is slow or away keeps no other waiting. */
  async function poll(): Promise<void> {
    const places = Map.groupBy(members, ([, { org }]) => app.db.reachTogether(org))
    await Promise.all([...places].map(([reach, answers]) => tryRenewAndCheck(reach, answers)))
    if (members.size > 0) timer = setTimeout(poll, POLL_MS).unref()
  }

  async function tryRenewAndCheck(reach: TenantScope, answers: Answers): Promise<void> {
    try {
      await renewAndCheck(reach, answers)
    } catch (error) {
      // While a database is away nobody is stopped there: the next poll finds out.
      app.log.warn({ err: error, answers: answers.length }, 'chat.answer.poll_failed')
    }
  }

  /** The one thing here that looks across organisations; it reads no words of anybody. */
  async function renewAndCheck(reach: TenantScope, answers: Answers): Promise<void> {
    const ids = answers.map(([id]) => id)
    const { beaten, goOn } = await app.db.tx(reach, async (tx) => ({
      beaten: await renewLeases(tx, ids, before(tx.now, RENEW_INTERVAL)),
      goOn: new Set((await findUnstopped(tx, ids)).map(({ id }) => id)),
    }))
    const others = answers.filter(([id]) => !goOn.has(id))
    for (const [id, answer] of others)
      if (reach === answer.org || !(await isUnstopped(id, answer))) answer.stop()
    await Promise.all(beaten.map(({ id }) => members.get(id)?.renew()))
  }

  /** One that is not among the shared may just have moved: its organisation's own reach finds it wherever it is. */
  async function isUnstopped(id: MessageId, { org }: ActiveAnswer): Promise<boolean> {
    return (await app.db.tx(org, (tx) => findUnstopped(tx, [id]))).length > 0
  }

  return {
    join(id, answer) {
      if (members.size === 0) {
        unlisten = app.db.listen(STOP_TOPIC, onStopNotification)
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
