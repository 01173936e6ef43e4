// Who an organisation's invoices are made out to. What was issued stays as it was.
import { record } from '../audit/audit.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { countryOfCurrency } from './countries.ts'
import * as sql from './details-sql.ts'
import { taxPartsOf } from './tax.ts'

/** What is left out stays; null clears. */
export type DetailsEdit = {
  readonly [K in keyof sql.Details]?: string | null | undefined
}

export function readDetails(app: App, orgId: OrgId) {
  return app.db.tx(orgId, async (tx) => viewOf(await sql.detailsOf(tx, orgId), tx.now))
}

export function putDetails(app: App, actor: Actor, edit: DetailsEdit, ip: string) {
  const { orgId } = actor
  return app.db.tx(orgId, async (tx) => {
    // Of two at the same time the second changes what the first has left.
    await tx.lock(`billing details ${orgId}`)
    const before = await sql.detailsOf(tx, orgId)
    const after = { ...before, ...given(edit), updatedAt: tx.now }
    await sql.putDetails(tx, orgId, after)
    await record(tx, {
      orgId,
      actor,
      ip,
      action: 'billing.details.set',
      target: orgId,
      // Which of them, and not what they say: names and addresses are not for a log that is never rewritten.
      metadata: { changed: FIELDS.filter((field) => after[field] !== before[field]) },
    })
    return viewOf(after, tx.now)
  })
}

const FIELDS = ['legalName', 'address', 'taxId', 'country'] as const

const given = (edit: DetailsEdit): Partial<sql.Details> =>
  Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined))

function viewOf({ orgName, currency, ...details }: sql.DetailsRow, at: Date) {
  const country = details.country ?? countryOfCurrency(currency)
  const taxes = taxPartsOf(country, at).map(({ name, rateBps }) => ({ name, rateBps }))
  return { ...details, invoicedAs: { name: details.legalName ?? orgName, country, taxes } }
}
