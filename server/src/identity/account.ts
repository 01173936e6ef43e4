// What people change about their own account.
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { renameUser } from './orgs-sql.ts'

export async function rename(app: App, actor: Actor, name: string): Promise<void> {
  await renameUser(app.db.direct, actor.userId, name)
}
