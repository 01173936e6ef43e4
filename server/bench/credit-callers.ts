// Credits the wallet of every caller.
import type { OrgId } from '../src/kernel/ids.ts'
import { credit } from '../src/wallet/wallet.ts'
import { openMinimalApp } from './debits/debits.ts'
import { orgIds } from './sql.ts'

const PLENTY_MINOR = 1_000_000_000_000n

export async function creditCallers(url: string): Promise<void> {
  const { app, close } = openMinimalApp(url, null)
  try {
    for (const orgId of await orgIds(app.db.direct))
      await app.db.tx(orgId as OrgId, (tx) => {
        const cause = `bench ${orgId}`
        return credit(app, tx, {
          orgId: orgId as OrgId,
          amountMinor: PLENTY_MINOR,
          source: 'topup',
          ref: cause,
          cause,
          account: 'clearing:mock',
        })
      })
  } finally {
    await close()
  }
}
