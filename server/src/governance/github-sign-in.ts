// An owner allows sign-in with GitHub in an organisation that requires single sign-on.
import { record } from '../audit/audit.ts'
import { endGithubSessions, requireRecentSignIn } from '../identity/identity.ts'
import type { OrgId } from '../kernel/ids.ts'
import { setGithubSignIn } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'

/** Without the permission, sessions that GitHub opened in the organisation end at once. */
export async function allowGithubSignIn(
  app: App,
  actor: Actor,
  orgId: OrgId,
  allowed: boolean,
  ip: string,
): Promise<void> {
  requireRecentSignIn(app, actor)
  await app.db.tx('platform', async (tx) => {
    if (!(await setGithubSignIn(tx, orgId, allowed))) return
    if (!allowed) await endGithubSessions(tx, orgId)
    const change = { action: 'orgs.signIn.change', target: orgId, metadata: { githubAllowed: allowed } }
    await record(tx, { orgId, actor, ip, ...change })
  })
}
