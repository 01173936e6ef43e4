// Organisations ranked by usage or balance, and their money. All statements need the tenant scope `platform`.
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db/tx.ts'

type TimeRange = { readonly from: Date; readonly to: Date }

/** Minor units of each currency per kobo. Amounts in several currencies are compared by their value in kobo. */
export type KoboRates = {
  readonly currencies: readonly Currency[]
  readonly numerators: readonly bigint[]
  readonly denominators: readonly bigint[]
}

export type OrgRank = { orgId: OrgId; kobo: bigint }

/** By usage paid from the wallet, the highest first, after a position. */
export function rankByUsage(
  tx: Tx,
  { from, to }: TimeRange,
  rates: KoboRates,
  after: OrgRank,
  limit: number,
) {
  return tx.rows<OrgRank>`
    with ranked as (
      select w.org_id, least(floor(m.usage * r.denominator / r.numerator), 9223372036854775806)::bigint as kobo
      from wallets w
      join unnest(${rates.currencies}::text[], ${rates.numerators}::bigint[], ${rates.denominators}::bigint[])
        r(currency, numerator, denominator) on r.currency = w.currency
      cross join lateral (
        select coalesce(-sum(free_minor + held_minor) filter (
                 where source in ('agent', 'chat', 'index', 'research', 'review', 'gateway')), 0) as usage
        from movements
        where org_id = w.org_id and created_at >= ${from} and created_at < ${to} and free_minor + held_minor <> 0) m)
    select org_id as "orgId", kobo from ranked
    where kobo < ${after.kobo} or (kobo = ${after.kobo} and org_id > ${after.orgId})
    order by kobo desc, org_id limit ${limit}`
}

/** By balance, the highest first, after a position. */
export function rankByBalance(tx: Tx, rates: KoboRates, after: OrgRank, limit: number) {
  return tx.rows<OrgRank>`
    with ranked as (
      select w.org_id, least(floor(w.balance_minor::numeric * r.denominator / r.numerator), 9223372036854775806)::bigint as kobo
      from wallets w
      join unnest(${rates.currencies}::text[], ${rates.numerators}::bigint[], ${rates.denominators}::bigint[])
        r(currency, numerator, denominator) on r.currency = w.currency)
    select org_id as "orgId", kobo from ranked
    where kobo < ${after.kobo} or (kobo = ${after.kobo} and org_id > ${after.orgId})
    order by kobo desc, org_id limit ${limit}`
}

export type OrgMoney = {
  orgId: OrgId
  currency: Currency
  balanceMinor: bigint
  usageMinor: bigint
  creditedMinor: bigint
}

export function moneyByOrg(tx: Tx, orgs: readonly OrgId[], { from, to }: TimeRange): Promise<OrgMoney[]> {
  return tx.rows<OrgMoney>`
    select w.org_id as "orgId", w.currency, w.balance_minor as "balanceMinor", m.usage::bigint as "usageMinor",
           m.credited::bigint as "creditedMinor"
    from wallets w cross join lateral (
      select coalesce(-sum(free_minor + held_minor) filter (
               where source in ('agent', 'chat', 'index', 'research', 'review', 'gateway')), 0) as usage,
             coalesce(sum(free_minor + held_minor) filter (
               where account like 'clearing:%' or account = 'reversals'), 0) as credited
      from movements
      where org_id = w.org_id and created_at >= ${from} and created_at < ${to} and free_minor + held_minor <> 0) m
    where w.org_id = any (${orgs}::text[])`
}

export type OrgBalance = { orgId: OrgId; balanceMinor: bigint; heldMinor: bigint }

export function balancesByOrg(tx: Tx, orgs: readonly OrgId[]): Promise<OrgBalance[]> {
  return tx.rows<OrgBalance>`
    select org_id as "orgId", balance_minor as "balanceMinor", held_minor as "heldMinor"
    from wallets where org_id = any (${orgs}::text[])`
}
