// Checkouts whose page was never opened, or not paid without anybody hearing of it. They end, and a late success still begins one.
import type { App } from '../platform/app.ts'
import { giveUpCheckout } from './checkout.ts'
import { leftCheckouts } from './reopen-sql.ts'

const AT_ONCE = 200

/** Gives up what is left, so many at a time: the next run goes on. Says how many. */
export async function giveUpLeftCheckouts(app: App, signal?: AbortSignal): Promise<number> {
  const left = await app.db.tx('platform', (tx) => leftCheckouts(tx, AT_ONCE))
  let count = 0
  for (const checkout of left) {
    if (signal?.aborted) break
    await app.db.tx(checkout.orgId, (tx) => giveUpCheckout(app, tx, checkout, 'It was not paid in time.'))
    count++
  }
  return count
}
