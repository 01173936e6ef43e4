// Copies that a database with Citus keeps: beside the wallets, of what a reservation reads of members, keys and trials; on the
// coordinator, of the causes of postings. All statements need the tenant scope `platform`.
import type { OrgId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { CheckFinding } from './invariants-sql.ts'

export type CopyKind = 'cap' | 'key' | 'trial' | 'cause'
export type CopyDifference = { readonly kind: CopyKind; readonly org: OrgId; readonly id: string }

/** `id` is a user, a key, an organisation or a cause. */
export const findDifferences = (
  sql: Sql,
  most: number,
): Promise<CopyDifference[]> => sql.rows<CopyDifference>`
  with cap as materialized (select org_id, user_id, seat_cap_minor from member_caps),
  key as materialized (select org_id, id, ancestors, budget_minor, budget_period from key_limits),
  original as materialized (select org_id, id, ancestors, budget_minor, budget_period from citus_keys(null, null)),
  trial as materialized (select org_id, expires_at from trial_ends),
  posted as materialized (select cause, org_id from movements where cause is not null)
  select kind, org, id from (
    select 'cap' as kind, coalesce(m.org_id, c.org_id) as org, coalesce(m.user_id, c.user_id) as id
    from (select org_id, user_id, seat_cap_minor from org_members where seat_cap_minor is not null) m
    full join cap c on c.org_id = m.org_id and c.user_id = m.user_id
    where m.seat_cap_minor is distinct from c.seat_cap_minor
    union all
    select 'key', coalesce(k.org_id, c.org_id), coalesce(k.id, c.id)
    from original k
    full join key c on c.org_id = k.org_id and c.id = k.id
    -- A key without limits needs no copy, and its period means nothing.
    where k.id is null or k.budget_minor is distinct from c.budget_minor
       or (k.budget_minor is not null and k.budget_period is distinct from c.budget_period)
       or coalesce(k.ancestors, '{}') <> coalesce(c.ancestors, '{}')
    union all
    select 'trial', coalesce(t.org_id, c.org_id), coalesce(t.org_id, c.org_id)
    from (select org_id, expires_at from trial_credits) t full join trial c on c.org_id = t.org_id
    where t.expires_at is distinct from c.expires_at
    union all
    select 'cause', coalesce(p.org_id, c.org_id), coalesce(p.cause, c.cause)
    from posted p full join (select cause, org_id from movement_causes) c on c.cause = p.cause and c.org_id = p.org_id
    where p.cause is null or c.cause is null) each
  order by kind, org, id limit ${most}`

export async function checkCopies(sql: Sql): Promise<CheckFinding> {
  const found = await findDifferences(sql, 1_000)
  const { checked } = await sql.one<{ checked: bigint }>`select count(*) as checked from movement_causes`
  const examples = found.map(({ kind, org, id }) => `${kind} ${org} ${id}`)
  return { checked, violations: BigInt(found.length), examples: examples.length > 0 ? examples : null }
}

/** Call each in a transaction. It waits for a change of the original and of the copy. True if the copy was different. */
export const repairs: Record<CopyKind, (tx: Tx, difference: CopyDifference) => Promise<boolean>> = {
  async cap(tx, { org, id }) {
    const wanted = await tx.maybe<{ minor: bigint | null }>`
      select minor from citus_cap(${org}, ${id})`
    const copy = await tx.maybe<{ minor: bigint }>`
      select seat_cap_minor as minor from member_caps where org_id = ${org} and user_id = ${id} for update`
    const minor = wanted?.minor ?? null
    if (minor === (copy?.minor ?? null)) return false
    if (minor === null) await tx.rows`delete from member_caps where org_id = ${org} and user_id = ${id}`
    else
      await tx.rows`
        insert into member_caps (org_id, user_id, seat_cap_minor) values (${org}, ${id}, ${minor})
        on conflict (org_id, user_id) do update set seat_cap_minor = excluded.seat_cap_minor`
    return true
  },

  async key(tx, { org, id }) {
    type Limits = { ancestors: string[] | null; budget: bigint | null; period: string | null }
    const wanted = await tx.maybe<Limits>`
      select ancestors, budget_minor as budget, budget_period as period from citus_keys(${org}, ${id})`
    const copy = await tx.maybe<Limits>`
      select ancestors, budget_minor as budget, budget_period as period from key_limits
      where org_id = ${org} and id = ${id} for update`
    const textOf = (limits: Limits | undefined) =>
      [limits?.budget ?? '', limits?.budget != null && limits.period, ...(limits?.ancestors ?? [])].join(' ')
    if (textOf(wanted) === textOf(copy)) return false
    if (!wanted) await tx.rows`delete from key_limits where org_id = ${org} and id = ${id}`
    else
      await tx.rows`
        insert into key_limits (org_id, id, ancestors, budget_minor, budget_period)
        values (${org}, ${id}, ${wanted.ancestors}::text[], ${wanted.budget}, ${wanted.period})
        on conflict (id, org_id) do update set ancestors = excluded.ancestors, budget_minor = excluded.budget_minor,
          budget_period = excluded.budget_period`
    return true
  },

  async trial(tx, { org }) {
    // As text, because a Date has no microseconds.
    const wanted = await tx.maybe<{ at: string }>`
      select expires_at::text as at from trial_credits where org_id = ${org} for update`
    const copy = await tx.maybe<{ at: string }>`
      select expires_at::text as at from trial_ends where org_id = ${org} for update`
    if (wanted?.at === copy?.at) return false
    if (!wanted) await tx.rows`delete from trial_ends where org_id = ${org}`
    else
      await tx.rows`
        insert into trial_ends (org_id, expires_at) values (${org}, ${wanted.at}::text::timestamptz)
        on conflict (org_id) do update set expires_at = excluded.expires_at`
    return true
  },

  /** A cause that another wallet has posted too cannot be added: the unique key refuses it, and the check still reports it. */
  async cause(tx, { org, id }) {
    await tx.rows`select wallet_lock(${org})`
    const posting = await tx.maybe`select 1 as found from movements where org_id = ${org} and cause = ${id}`
    const known =
      await tx.maybe`select 1 as found from movement_causes where org_id = ${org} and cause = ${id}`
    if (Boolean(posting) === Boolean(known)) return false
    if (posting) await tx.rows`select citus_end_posting(${org}, ${id})`
    else await tx.rows`select citus_forget_cause(${org}, ${id})`
    return true
  },
}
