// Failed attempts to get into an account, on the record that its owner reads. Who it was nobody knows, so they are not
// the owner's doing. Bounded: whoever guesses all day must not fill a record that is kept for ever.
import { record } from '../../audit/audit.ts'
import type { User } from '../../identity/identity.ts'
import { homeOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, mayTry, tryOnce } from '../../platform/attempts/attempts.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import type { FirstFactor } from '../second-factor/challenge-sql.ts'

export type SignInFailure = { method: FirstFactor; reason: string }

/** Beyond these the limits on guessing have long refused, and the log has every request. */
const RECORDED: AttemptLimit = { name: 'signIn.noted', most: 10, withinSeconds: 3_600 }

export async function recordFailure(
  app: App,
  tx: Tx,
  user: User,
  request: RequestInfo,
  metadata: SignInFailure,
): Promise<void> {
  const orgId = await homeOrg(tx, user.id)
  // An address that was never confirmed has no organisation, and nothing to get into.
  if (orgId === null || !(await tryOnce(app, tx, RECORDED, user.id)).allowed) return
  await record(tx, {
    orgId,
    actor: { kind: 'system' },
    ip: request.address,
    action: 'auth.signInFailed',
    target: user.id,
    metadata,
  })
}

/** After the answer, whose time must not tell whether there is an account. */
export function recordFailureInBackground(
  app: App,
  user: User,
  request: RequestInfo,
  failure: SignInFailure,
): void {
  const note = async () => {
    if (!(await mayTry(app, app.db.direct, RECORDED, user.id)).allowed) return
    await app.db.tx('platform', (tx) => recordFailure(app, tx, user, request, failure))
  }
  note().catch((error) => app.log.warn({ err: error }, 'sign_in.failure.record_failed'))
}
