// Records failed sign-ins in the audit log of the account's owner. The actor is unknown, so it is `system`.
// The number is limited: guesses must not fill a log that is kept for ever.
import { record } from '../../audit/audit.ts'
import type { User } from '../../identity/identity.ts'
import { homeOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, checkAttempt, countAttempt } from '../../platform/attempts/attempts.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import type { FirstFactor } from '../second-factor/challenge-sql.ts'

export type SignInFailure = { method: FirstFactor | 'step_up'; reason: string }

/** More entries are useless: the guess limits apply by then, and the request log has every attempt. */
const RECORDED: AttemptLimit = { name: 'signIn.noted', most: 10, withinSeconds: 3_600 }

export async function recordFailure(
  app: App,
  tx: Tx,
  user: User,
  request: RequestInfo,
  metadata: SignInFailure,
): Promise<void> {
  const orgId = await homeOrg(tx, user.id)
  // An account without an organisation has nothing to protect.
  if (orgId === null || !(await countAttempt(app, tx, RECORDED, user.id)).allowed) return
  await record(tx, {
    orgId,
    actor: { kind: 'system' },
    ip: request.address,
    action: 'auth.signInFailed',
    target: user.id,
    metadata,
  })
}

/** Records after the reply, because the response time must not reveal whether an account exists. */
export function recordFailureInBackground(
  app: App,
  user: User,
  request: RequestInfo,
  failure: SignInFailure,
): void {
  const note = async () => {
    if (!(await checkAttempt(app, app.db.direct, RECORDED, user.id)).allowed) return
    await app.db.tx('platform', (tx) => recordFailure(app, tx, user, request, failure))
  }
  note().catch((error) => app.log.warn({ err: error }, 'sign_in.failure.record_failed'))
}
