// The browser's way back from a provider. It may say anything, so it proves nothing: we ask the provider soon.
import type { App } from '../../platform/app.ts'
import { type Answer, redirect } from '../../platform/http/answer.ts'
import { checkSoon, purposeOf } from '../sql/payments.ts'
import { returnPath } from './mock-page.ts'

export async function redirectPayer(app: App, said: unknown): Promise<Answer> {
  // Providers add words of their own to our address, some of them twice.
  const reference = Array.isArray(said) ? said[0] : said
  if (typeof reference !== 'string' || !/^[a-z0-9]{8,32}$/.test(reference)) return redirect('/app/wallet')
  const purpose = await app.db.tx('platform', async (tx) => {
    await checkSoon(tx, reference)
    return purposeOf(tx, reference)
  })
  return redirect(returnPath(purpose ?? 'topup', reference))
}
