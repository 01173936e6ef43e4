// The callers can pay.
import { DisciplinedClock } from '../../src/kernel/clock.ts'
import type { OrgId } from '../../src/kernel/ids.ts'
import type { App } from '../../src/platform/app.ts'
import { openDb } from '../../src/platform/db/pool.ts'
import { credit } from '../../src/wallet/wallet.ts'
import { orgIds } from '../sql.ts'

const PLENTY_MINOR = 1_000_000_000_000n

export async function plantMoney(url: string): Promise<void> {
  const clock = new DisciplinedClock()
  const db = openDb(url, { clock, max: 2 })
  const app = { db, clock, settings: { get: () => 50_000 } } as unknown as App
  try {
    for (const orgId of await orgIds(db.direct))
      await db.tx(orgId as OrgId, (tx) => {
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
    await db.close()
  }
}
