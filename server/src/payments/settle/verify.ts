// Asking how a top-up stands. The provider is asked while that can change anything, and only its answer credits.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, tryOnce } from '../../platform/attempts/attempts.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { balances } from '../../wallet/wallet.ts'
import * as sql from '../sql/payments.ts'
import { reconcilePayment } from './reconcile.ts'

/** Beyond this the answer is what is stored; the sweep and the provider's messages go on as ever. */
const ASKS: AttemptLimit = { name: 'topup.ask', most: 5, withinSeconds: 10 }

/** A provider that cannot be reached changes nothing: the answer is how it stood before. */
export async function verifyTopup(app: App, { orgId }: Actor, reference: string) {
  const found = await app.db.tx(orgId, async (tx) => {
    const topup = await sql.findPayment(tx, orgId, reference)
    // So that a script needs no browser, asking about undecided play money decides it.
    if (topup?.mode === 'mock') await sql.setMockDecision(tx, reference, 'approved')
    return topup
  })
  if (!found) throw new ApiError('not_found')

  const creditedMinor = (await mayAsk(app, found))
    ? (await reconcilePayment(app, reference, 'verify')).creditedMinor
    : 0n
  const [topup, { balanceMinor }] = await Promise.all([
    app.db.tx(orgId, (tx) => sql.findPayment(tx, orgId, reference)),
    balances(app.db.direct, orgId),
  ])
  const { status, amountMinor, currency, channel, mode, reason, settledAt } = topup ?? found
  return {
    reference,
    status,
    amountMinor,
    creditedMinor,
    balanceMinor,
    currency,
    channel,
    mode,
    reason,
    settledAt,
  }
}

/** Money may still come after a failure and after the end of our patience. */
async function mayAsk(app: App, { reference, status, mode }: sql.Topup): Promise<boolean> {
  if (status === 'settled' || status === 'review') return false
  return mode === 'mock' || (await tryOnce(app, app.db.direct, ASKS, reference)).allowed
}
