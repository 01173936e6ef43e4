// Redirects the payer's browser after a payment. The redirect proves nothing, so it only schedules a check.
import type { App } from '../../platform/app.ts'
import { type Answer, redirect } from '../../platform/http/answer.ts'
import { checkSoon, type Purpose, purposeOf } from '../sql/payments.ts'

export async function redirectPayer(app: App, topup: unknown): Promise<Answer> {
  // Providers append their own parameters to our URL, some of them twice.
  const reference = Array.isArray(topup) ? topup[0] : topup
  if (typeof reference !== 'string' || !/^[a-z0-9]{8,32}$/.test(reference)) return redirect('/app/wallet')
  const purpose = await app.db.tx('platform', async (tx) => {
    await checkSoon(tx, reference)
    return purposeOf(tx, reference)
  })
  return redirect(returnPath(purpose ?? 'topup', reference))
}

/** A path, so that the browser stays on its origin. */
export const returnPath = (purpose: Purpose, reference: string): string =>
  `/app/${purpose === 'topup' ? 'wallet' : 'billing'}?reference=${reference}`
