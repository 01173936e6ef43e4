// Verifies a top-up on request: fetches its status from the provider while the top-up can still change.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../../platform/attempts/attempts.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Language } from '../../platform/texts/language.ts'
import { translated } from '../../platform/texts/texts.ts'
import { atWallet, readBalances } from '../../wallet/wallet.ts'
import { findPayment, type Payment, setMockDecision } from '../sql/payments.ts'
import { reconcilePayment } from './reconcile.ts'

/** Above this limit the reply is the stored status. */
const STATUS_CALLS: AttemptLimit = { name: 'topup.ask', most: 5, withinSeconds: 10 }

/** If the provider cannot be reached, the reply is the stored status. */
export async function verifyTopup(app: App, { orgId }: Actor, reference: string, language: Language) {
  const found = await app.db.tx(orgId, async (tx) => {
    const topup = await findPayment(tx, orgId, reference)
    // Scripts have no browser, so verifying an undecided mock payment approves it.
    if (topup?.mode === 'mock') await setMockDecision(tx, reference, 'approved')
    return topup
  })
  if (!found) throw new ApiError('not_found')

  const creditedMinor = (await mayReconcile(app, found))
    ? (await reconcilePayment(app, reference, 'verify')).creditedMinor
    : 0n
  const [topup, { balanceMinor }] = await Promise.all([
    app.db.tx(orgId, (tx) => findPayment(tx, orgId, reference)),
    atWallet(app.db, orgId, (sql) => readBalances(sql, orgId)),
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
    reason: reason && translated(language, reason),
    settledAt,
  }
}

/** Failed and expired payments can still be paid. */
async function mayReconcile(app: App, { reference, status, mode }: Payment): Promise<boolean> {
  if (status === 'settled' || status === 'review') return false
  return mode === 'mock' || (await countAttempt(app, app.db.direct, STATUS_CALLS, reference)).allowed
}
