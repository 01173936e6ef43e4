// What we no longer use, the provider is told to forget: an authorization that nobody holds can be charged by nobody.
import { deleteStoredCard } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { decryptAuthorization } from './cards.ts'
import { eraseAuthorization, findRemovedCard, isAuthorizationInUse } from './cards-sql.ts'

export const FORGET_CARD = 'billing.forgetCard'

/** Tried for a day or so; after that the job stays for inspection, and the card is with us no more than a removed one. */
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
  // Added again, or held by another organisation of the same person: there it must go on to work.
  const isToForget = authorizationCode !== null && !found.isUsed
  if (isToForget && !(await deleteStoredCard(app, { ...found, authorizationCode })))
    throw new Error('the provider has not forgotten a removed card')
  await app.db.tx('platform', (tx) => eraseAuthorization(tx, id))
}
