// The running answers of this process. One listener and one poll renew their leases and apply stop requests from any replica.
import { before } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { RENEW_MS } from '../../kernel/lease.ts'
import type { App } from '../../platform/app.ts'
import type { Db, TenantScope } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { leaseCutoff } from '../limits.ts'
import {
  failOrphaned,
  findUnstopped,
  type MessageId,
  renewLeases,
  requestStop,
} from '../threads/messages-sql.ts'
import { lockThread } from '../threads/threads.ts'
import type { ThreadId } from '../threads/threads-sql.ts'

/** A notification only speeds up the stop. The stop request is stored in the row. */
const STOP_TOPIC = 'chat.stop'
const POLL_MS = 1_000
const RENEW_INTERVAL = { ms: RENEW_MS }

export type ActiveAnswer = {
  readonly org: OrgId
  /** Called when a stop was requested, or the answer is no longer running in the database. */
  stop(): void
  /** Renews the idempotency key. Called periodically while the answer is running. */
  renew(): Promise<void>
}
type Answers = readonly (readonly [MessageId, ActiveAnswer])[]
type Group = { join(id: MessageId, answer: ActiveAnswer): void; leave(id: MessageId): void }

const groups = new WeakMap<Db, Group>()

/** Watches an answer while it runs. The caller must call the returned function when it ends. */
export function watchAnswer(app: App, id: MessageId, answer: ActiveAnswer): () => void {
  const group = groups.get(app.db) ?? createGroup(app)
  groups.set(app.db, group)
  group.join(id, answer)
  return () => group.leave(id)
}

/** Stops the running answer of a thread, on whichever replica it runs. The partial text is stored and charged. */
export function stopAnswer(app: App, actor: Actor, thread: ThreadId) {
  return app.db.tx(actor.orgId, async (tx) => {
    await lockThread(tx, actor, thread)
    await failOrphaned(tx, leaseCutoff(tx.now), thread, 1)
    const answer = await requestStop(tx, thread)
    if (answer) tx.notify(STOP_TOPIC, answer.id)
    return { ok: true as const, stopped: answer !== undefined }
  })
}

function createGroup(app: App): Group {
  const members = new Map<MessageId, ActiveAnswer>()
  let unlisten = () => {}
  let timer: NodeJS.Timeout | undefined

  function onStopNotification(id: string | null): void {
    if (id !== null) members.get(id as MessageId)?.stop()
  }

  /** Checks databases in parallel, so that a slow or unreachable one does not delay the others. */
  async function poll(): Promise<void> {
    const byScope = Map.groupBy(members, ([, { org }]) => app.db.batchScope(org))
    await Promise.all([...byScope].map(([scope, answers]) => tryRenewAndCheck(scope, answers)))
    if (members.size > 0) timer = setTimeout(poll, POLL_MS).unref()
  }

  async function tryRenewAndCheck(scope: TenantScope, answers: Answers): Promise<void> {
    try {
      await renewAndCheck(scope, answers)
    } catch (error) {
      // While a database is unreachable, its answers are not stopped. The next poll retries.
      app.log.warn({ err: error, answers: answers.length }, 'chat.answer.poll_failed')
    }
  }

  /** May span organisations, so it reads only ids and states, never message text. */
  async function renewAndCheck(scope: TenantScope, answers: Answers): Promise<void> {
    const ids = answers.map(([id]) => id)
    const { renewed, unstopped } = await app.db.tx(scope, async (tx) => ({
      renewed: await renewLeases(tx, ids, before(tx.now, RENEW_INTERVAL)),
      unstopped: new Set((await findUnstopped(tx, ids)).map(({ id }) => id)),
    }))
    const others = answers.filter(([id]) => !unstopped.has(id))
    for (const [id, answer] of others)
      if (scope === answer.org || !(await isUnstopped(id, answer))) answer.stop()
    await Promise.all(renewed.map(({ id }) => members.get(id)?.renew()))
  }

  /** A row missing from the shared database may have been moved. The tenant scope of its organisation finds it. */
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
