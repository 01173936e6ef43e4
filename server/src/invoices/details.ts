// The buyer details on invoices of an organisation. Issued invoices keep the old details.
import { record } from '../audit/audit.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import type { Language } from '../platform/texts/language.ts'
import { taxesIn } from './document.ts'
import { countryOfCurrency } from './tax/countries.ts'
import { taxPartsOf } from './tax/tax.ts'

/** An omitted field stays unchanged; null clears it. */
export type DetailsEdit = {
  readonly [K in keyof Details]?: string | null | undefined
}

export function readDetails(app: App, orgId: OrgId, language: Language) {
  return app.db.tx(orgId, async (tx) => viewOf(await detailsOf(tx, orgId), tx.now, language))
}

export function putDetails(
  app: App,
  actor: Actor,
  edit: DetailsEdit,
  { address: ip, language }: RequestInfo,
) {
  const { orgId } = actor
  return app.db.tx(orgId, async (tx) => {
    // Serialises concurrent edits, so that none is lost.
    await tx.lock(`billing details ${orgId}`)
    const before = await detailsOf(tx, orgId)
    const after = { ...before, ...presentFields(edit), updatedAt: tx.now }
    await upsertDetails(tx, orgId, after)
    await record(tx, {
      orgId,
      actor,
      ip,
      action: 'billing.details.set',
      target: orgId,
      // Only the field names: the audit log is never rewritten, so it must not hold names and addresses.
      metadata: { changed: FIELDS.filter((field) => after[field] !== before[field]) },
    })
    return viewOf(after, tx.now, language)
  })
}

const FIELDS = ['legalName', 'address', 'taxId', 'country'] as const

const presentFields = (edit: DetailsEdit): Partial<Details> =>
  Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined))

function viewOf({ orgName, currency, ...details }: DetailsRow, at: Date, language: Language) {
  const country = details.country ?? countryOfCurrency(currency)
  const taxes = taxesIn(
    language,
    taxPartsOf(country, at).map(({ name, rateBps }) => ({ name, rateBps })),
  )
  return { ...details, invoicedAs: { name: details.legalName ?? orgName, country, taxes } }
}

export type Details = {
  legalName: string | null
  address: string | null
  taxId: string | null
  country: string | null
}
export type DetailsRow = Details & {
  orgName: string
  currency: Currency
  updatedAt: Date | null
}

export function detailsOf(tx: Tx, org: OrgId): Promise<DetailsRow> {
  return tx.one<DetailsRow>`
    select d.legal_name as "legalName", d.address, d.tax_id as "taxId", d.country, d.updated_at as "updatedAt",
           o.name as "orgName", o.currency
    from org_profiles o left join billing_details d on d.org_id = o.id where o.id = ${org}`
}

export async function upsertDetails(tx: Tx, org: OrgId, details: Details): Promise<void> {
  await tx.rows`
    insert into billing_details (org_id, legal_name, address, tax_id, country, updated_at)
    values (${org}, ${details.legalName}, ${details.address}, ${details.taxId}, ${details.country}, ${tx.now})
    on conflict (org_id) do update set legal_name = excluded.legal_name, address = excluded.address,
      tax_id = excluded.tax_id, country = excluded.country, updated_at = excluded.updated_at`
}
