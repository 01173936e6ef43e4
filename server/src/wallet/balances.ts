// Reads of a wallet: balances, member caps and the used allowance.
import { present } from '../kernel/assert.ts'
import type { KeyId, OrgId, UserId } from '../kernel/ids.ts'
import { type Currency, INT64_MAX } from '../kernel/money.ts'
import { followShard } from '../platform/db/citus/visit-shards.ts'
import type { Db, Sql, Tx } from '../platform/db/tx.ts'

export type Balances = {
  readonly balanceMinor: bigint
  readonly heldMinor: bigint
  /** The balance without holds. */
  readonly availableMinor: bigint
  /** The allowance of the plan without holds. */
  readonly includedRemainingMinor: bigint
  readonly currency: Currency
}

export type WalletRow = {
  balanceMinor: bigint
  heldMinor: bigint
  includedMinor: bigint
  includedHeldMinor: bigint
  currency: Currency
}

export type WalletView = Balances & { readonly trialMinor: bigint; readonly trialExpiresAt: Date | null }

/** The balances with the trial credit, in one round trip. `sql` is a transaction, or where `atWallet` reads. */
export async function readWallet(sql: Sql, org: OrgId): Promise<WalletView> {
  return present((await readWallets(sql, [org])).get(org), 'an organisation has a wallet')
}

/** Reads the wallet of an organisation outside a transaction: where shards are on several nodes, directly at its node. */
export async function atWallet<T>(
  { direct, shards }: Db,
  org: OrgId,
  read: (sql: Sql) => Promise<T>,
): Promise<T> {
  if (!shards) return read(direct)
  const shard = await shards.shardOf(org)
  return followShard(shards, async () => read(await shards.on(shard)))
}

/** The balances of these wallets with their trial credits, in one round trip. */
export async function readWallets(sql: Sql, orgs: readonly OrgId[]): Promise<Map<OrgId, WalletView>> {
  const rows = await sql.rows<
    WalletRow & Pick<WalletView, 'trialMinor' | 'trialExpiresAt'> & { orgId: OrgId }
  >`
    select o.id as "orgId", b.balance_minor as "balanceMinor", b.held_minor as "heldMinor",
           b.included_minor as "includedMinor", b.included_held_minor as "includedHeldMinor", b.currency,
           t.trial_minor as "trialMinor", t.expires_at as "trialExpiresAt"
    from unnest(${orgs}::text[]) o (id), wallet_balances(o.id) b, wallet_trial(o.id) t`
  return new Map(
    rows.map((row) => {
      const { orgId, trialMinor, trialExpiresAt } = row
      return [orgId, { ...toBalances(row), trialMinor, trialExpiresAt }]
    }),
  )
}

/** One round trip. `sql` is a transaction, or where `atWallet` reads. */
export async function readBalances(sql: Sql, org: OrgId): Promise<Balances> {
  return toBalances(
    await sql.one<WalletRow>`
      select balance_minor as "balanceMinor", held_minor as "heldMinor", included_minor as "includedMinor",
             included_held_minor as "includedHeldMinor", currency
      from wallet_balances(${org})`,
  )
}

export const toBalances = (row: WalletRow): Balances => ({
  balanceMinor: row.balanceMinor,
  heldMinor: row.heldMinor,
  availableMinor: row.balanceMinor - row.heldMinor,
  includedRemainingMinor: row.includedMinor - row.includedHeldMinor,
  currency: row.currency,
})

/**
 * `spendableMinor` is the available balance plus the remaining allowance, limited by the member's monthly cap and the
 * budget of the API key.
 */
export async function readSpendable(
  tx: Tx,
  org: OrgId,
  user: UserId,
  key: KeyId | null = null,
): Promise<Balances & { spendableMinor: bigint; limitedBy: SpendingLimit }> {
  const balances = await readBalances(tx, org)
  const cap = await readMemberCap(tx, org, user)
  const keyRoom = key && (await readKeyRoom(tx, org, key))
  const walletMinor = smaller(balances.availableMinor + balances.includedRemainingMinor, INT64_MAX)
  const underCap = smaller(walletMinor, cap?.leftMinor)
  const spendableMinor = smaller(underCap, keyRoom)
  const limitedBy =
    spendableMinor < underCap ? 'key_budget' : underCap < walletMinor ? 'cap_reached' : 'insufficient'
  return { ...balances, spendableMinor, limitedBy }
}

/** The reason why no more can be spent, as for a refused reservation. */
export type SpendingLimit = 'insufficient' | 'cap_reached' | 'key_budget'

const smaller = (one: bigint, other: bigint | null | undefined): bigint =>
  typeof other === 'bigint' && other < one ? other : one

async function readKeyRoom(tx: Tx, org: OrgId, key: KeyId): Promise<bigint | null> {
  const { room } = await tx.one<{ room: bigint | null }>`
    select wallet_key_room(${org}, ${key}, (${tx.now}::timestamptz at time zone 'UTC')::date) as room`
  return room
}

export type MemberCap = { readonly capMinor: bigint; readonly leftMinor: bigint }

/** The cap of a member and its rest of this month, or null for a member without a cap. */
export async function readMemberCap(tx: Tx, org: OrgId, user: UserId): Promise<MemberCap | null> {
  const row = await tx.maybe<MemberCap>`
    select m.seat_cap_minor as "capMinor",
           greatest(m.seat_cap_minor - member_used(m.org_id, m.user_id, (${tx.now}::timestamptz at time zone 'UTC')::date), 0)
             as "leftMinor"
    from org_members m
    where m.org_id = ${org} and m.user_id = ${user} and m.seat_cap_minor is not null`
  return row ?? null
}

/** Locks the wallet until the transaction ends, so that values read from it stay valid. */
export async function lockWallet(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`select wallet_lock(${org})`
}

const ALLOWANCE_POSTINGS_MAX = 100_000

/**
 * The used and reserved part of the allowance since the first grant at or after `since`. Null if that takes more postings
 * than this reads.
 */
export async function readUsedAllowance(tx: Tx, org: OrgId, since: Date): Promise<bigint | null> {
  const { count, used } = await tx.one<{ count: bigint; used: bigint }>`
    with granted as (
      select min(seq) as seq from movements where org_id = ${org} and kind = 'grant' and created_at >= ${since}),
    moved as (
      select m.kind, m.included_minor from movements m join granted g on m.seq > g.seq
      where m.org_id = ${org} order by m.seq limit ${ALLOWANCE_POSTINGS_MAX + 1})
    select count(*) as count,
           coalesce(-sum(included_minor) filter (where kind <> 'grant'), 0)::bigint as used
    from moved`
  return count > BigInt(ALLOWANCE_POSTINGS_MAX) ? null : used
}
