// Who an organisation is on paper.
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { Tx } from '../platform/db/tx.ts'

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

export async function putDetails(tx: Tx, org: OrgId, details: Details): Promise<void> {
  await tx.rows`
    insert into billing_details (org_id, legal_name, address, tax_id, country, updated_at)
    values (${org}, ${details.legalName}, ${details.address}, ${details.taxId}, ${details.country}, ${tx.now})
    on conflict (org_id) do update set legal_name = excluded.legal_name, address = excluded.address,
      tax_id = excluded.tax_id, country = excluded.country, updated_at = excluded.updated_at`
}
