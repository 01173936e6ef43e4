// What people change about their own account.
import { record } from '../audit/audit.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import { renameUser } from './sql.ts'

export async function rename(app: App, actor: Actor, name: string, request: RequestInfo): Promise<void> {
  const { orgId, userId } = actor
  await app.db.tx(orgId, async (tx) => {
    await renameUser(tx, userId, name)
    // That it happened; what people are called is not kept for ever.
    await record(tx, { orgId, actor, ip: request.address, action: 'me.update', target: userId })
  })
}
