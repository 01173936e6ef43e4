// The paybill and the account number of an organisation at it.
import { assert } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { type Account, usableAccounts } from '../rails/accounts.ts'
import type { PaybillApi } from '../rails/rail.ts'
import { newAccountCode } from './account-code.ts'
import { accountCodeOf, insertAccountCode } from './sql.ts'

export type PaybillAccount = Account & { readonly paybill: PaybillApi }

/** The account whose paybill takes payments by hand; null where it is not configured. */
export function paybillAccount(app: App): PaybillAccount | null {
  for (const account of usableAccounts(app, { rail: 'daraja' }))
    if (account.paybill) return { ...account, paybill: account.paybill }
  return null
}

/** The paybill with the account number of the organisation, which the first call creates. */
export async function showPaybill(app: App, { orgId, org }: Actor) {
  const account = paybillAccount(app)
  if (!account?.currencies.includes(org.currency)) return { paybill: null, account: null, mode: null }
  if (org.suspended) throw new ApiError('org_suspended')
  return {
    paybill: account.paybill.shortcode,
    account: await accountCode(app, orgId),
    mode: 'live' as const,
  }
}

const ATTEMPTS_MAX = 5

/** Two organisations never have the same code: a code that is taken is drawn again. */
function accountCode(app: App, orgId: OrgId): Promise<string> {
  return app.db.tx(orgId, async (tx) => {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const existing = await accountCodeOf(tx, orgId)
      if (existing !== null) return existing
      const code = newAccountCode()
      if (await insertAccountCode(tx, orgId, code)) return code
    }
    const stored = await accountCodeOf(tx, orgId)
    assert(stored !== null, 'an unused account number is found')
    return stored
  })
}
