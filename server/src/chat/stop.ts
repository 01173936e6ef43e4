// Ending an answer before it ends by itself, from any device and through any replica.
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { STOP_TOPIC } from './answers/active-answers.ts'
import { leaseCutoff } from './limits.ts'
import { failOrphaned, requestStop } from './threads/messages-sql.ts'
import { lockThread } from './threads/threads.ts'
import type { ThreadId } from './threads/threads-sql.ts'

/** Notes the wish and wakes whoever writes. What has come by then is kept and paid for. */
export function stopAnswer(app: App, actor: Actor, thread: ThreadId) {
  return app.db.tx(actor.orgId, async (tx) => {
    await lockThread(tx, actor, thread)
    await failOrphaned(tx, leaseCutoff(tx.now), thread, 1)
    const answer = await requestStop(tx, thread)
    if (answer) tx.notify(STOP_TOPIC, answer.id)
    return { ok: true as const, stopped: answer !== undefined }
  })
}
