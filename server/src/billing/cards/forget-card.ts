// Deletes the authorization of a removed card at the provider, so that it can never be charged.
import { deleteStoredCard } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { decryptAuthorization } from './cards.ts'
import { eraseAuthorization, findRemovedCard, isAuthorizationInUse } from './cards-sql.ts'

export const FORGET_CARD = 'billing.forgetCard'

/** Retries for about a day. A failed job stays for inspection; the card is already removed here. */
export const forgetCardJob = job<{ cardId: string }>(FORGET_CARD, {
  attempts: 12,
  backoff: { firstMs: 10_000, maxMs: 4 * 3_600_000 },
  run: (app, { payload }) => forgetCard(app, payload.cardId),
})

async function forgetCard(app: App, id: string): Promise<void> {
  const found = await app.db.tx('platform', async (tx) => {
    const card = await findRemovedCard(tx, id)
    return card && { ...card, isUsed: await isAuthorizationInUse(tx, card) }
  })
  if (!found) return
  const authorizationCode = decryptAuthorization(app, id, found.authorizationSealed)
  // The same card was added again, or another organisation of the user has it: the authorization must keep working
  // there.
  const isToForget = authorizationCode !== null && !found.isUsed
  if (isToForget && !(await deleteStoredCard(app, { ...found, authorizationCode })))
    throw new Error('the provider did not delete the authorization of a removed card')
  await app.db.tx('platform', (tx) => eraseAuthorization(tx, id))
}
