// Low-balance notifications: one mail when the balance falls below the threshold, and none until it was above it again.
import { record } from '../../audit/audit.ts'
import { emit, type HookFact } from '../../hooks/hooks.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { type Currency, format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { type ReadWallets, visitWallets } from '../../platform/db/citus/visit-shards.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { job, type Schedule } from '../../platform/jobs/jobs.ts'
import { type MailContent, plainMail, withoutAutoLinks } from '../../platform/mail/mail.ts'
import { listOrgContacts } from '../../teams/teams.ts'
import { defaultThreshold } from './default-threshold.ts'

// Small, because these wallets stay locked until their mails are enqueued.
const BATCH_SIZE = 10
const ROUNDS_MAX = 500
const RECIPIENTS_MAX = 20

export async function readSettings(app: App, orgId: OrgId) {
  return settingsOf(app, await app.db.tx(orgId, (tx) => readThreshold(tx, orgId)))
}

/** A new threshold alone causes no notification. Only a later posting can cross it. */
export function setThreshold(app: App, actor: Actor, thresholdMinor: bigint, ip: string) {
  const { orgId } = actor
  return app.db.tx(orgId, async (tx) => {
    // With concurrent changes, each audit entry starts from the result of the previous one.
    await tx.lock(`wallet settings ${orgId}`)
    const before = settingsOf(app, await readThreshold(tx, orgId))
    await storeThreshold(tx, orgId, thresholdMinor)
    await record(tx, {
      orgId,
      actor,
      ip,
      action: 'wallet.settings.set',
      target: orgId,
      metadata: { fromMinor: before.lowBalanceThresholdMinor, toMinor: thresholdMinor },
    })
    return { ...before, lowBalanceThresholdMinor: thresholdMinor }
  })
}

export const lowBalanceJob = job('wallet.tellLowBalances', {
  attempts: 1,
  async run(app) {
    await notifyLowBalances(app)
  },
})

export const lowBalanceSchedule: Schedule = {
  name: 'wallet.tellLowBalances',
  job: 'wallet.tellLowBalances',
  everySeconds: 10,
}

/** Notifies and returns the number of wallets. */
export async function notifyLowBalances(app: App): Promise<number> {
  const notified = await visitWallets(app, (read) => notifyBatches(app, read))
  return notified.reduce((sum, count) => sum + count, 0)
}

/** The next run continues after the last round. */
async function notifyBatches(app: App, read: ReadWallets): Promise<number> {
  let notified = 0
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const orgs = app.db.shards && (await read((sql) => orgsWithCrossings(sql, BATCH_SIZE)))
    if (orgs?.length === 0) break
    // One transaction claims the crossings and enqueues the mails, so that a crash loses none.
    const claimed = await app.db.tx('platform', (tx) => notifyBatch(app, tx, orgs))
    notified += claimed
    if (claimed < BATCH_SIZE) break
  }
  return notified
}

async function notifyBatch(app: App, tx: Tx, orgs: readonly OrgId[] | null): Promise<number> {
  const crossings = await (orgs ? claimCrossingsOf(tx, orgs) : claimCrossings(tx, BATCH_SIZE))
  if (crossings.length === 0) return 0
  for (const crossing of crossings) await emit(tx, lowBalanceEvent(app, crossing))
  const byOrg = new Map(crossings.map((crossing) => [crossing.orgId, crossing]))
  for (const { orgId, orgName, email } of await listOrgContacts(tx, [...byOrg.keys()], RECIPIENTS_MAX)) {
    const crossing = byOrg.get(orgId)
    if (crossing) await app.mail.send(tx, { to: email, ...lowBalanceMail(app, orgName, crossing) })
  }
  return crossings.length
}

function lowBalanceEvent(
  app: App,
  { orgId, balanceMinor, currency, ...crossing }: LowBalanceCrossing,
): HookFact {
  const thresholdMinor = crossing.thresholdMinor ?? defaultThreshold(app, currency)
  return { orgId, type: 'balance.low', data: { balanceMinor, thresholdMinor, currency } }
}

function lowBalanceMail(app: App, orgName: string, crossing: LowBalanceCrossing): MailContent {
  const amount = (minor: bigint) => format(money(minor, crossing.currency))
  const threshold = crossing.thresholdMinor ?? defaultThreshold(app, crossing.currency)
  return plainMail(
    'Your balance is low',
    [
      `The wallet of ${withoutAutoLinks(orgName)} holds ${amount(crossing.balanceMinor)}, which is below ${amount(threshold)}.`,
      'Work continues until the balance is used up. We never charge more than the balance. You can top up now or change the threshold.',
    ],
    { label: 'Open your wallet', url: `${app.config.baseUrl}/app/wallet` },
  )
}

const settingsOf = (app: App, { thresholdMinor, currency }: Threshold) => ({
  lowBalanceThresholdMinor: thresholdMinor ?? defaultThreshold(app, currency),
  currency,
})

type Threshold = { thresholdMinor: bigint | null; currency: Currency }

/** Null: the organisation uses the default threshold of the platform. */
function readThreshold(tx: Tx, org: OrgId): Promise<Threshold> {
  return tx.one<Threshold>`
    select low_threshold_minor as "thresholdMinor", currency from wallets where org_id = ${org}`
}

async function storeThreshold(tx: Tx, org: OrgId, minor: bigint): Promise<void> {
  await tx.commitWithWallets()
  await tx.rows`select wallet_set_threshold(${org}, ${minor})`
}

type LowBalanceCrossing = {
  orgId: OrgId
  currency: Currency
  balanceMinor: bigint
  thresholdMinor: bigint | null
}

/** Crossings without a notification yet. They count as notified when the transaction commits. */
function claimCrossings(tx: Tx, limit: number): Promise<LowBalanceCrossing[]> {
  return tx.rows<LowBalanceCrossing>`
    select org_id as "orgId", currency, balance_minor as "balanceMinor", threshold_minor as "thresholdMinor"
    from wallet_take_crossings(${limit})`
}

/** The wallets of one shard. A transaction claims them from the coordinator. */
async function orgsWithCrossings(sql: Sql, limit: number): Promise<OrgId[]> {
  const rows = await sql.rows<{ orgId: OrgId }>`
    select org_id as "orgId" from wallets where low = 'crossed' order by org_id limit ${limit}`
  return rows.map(({ orgId }) => orgId)
}

async function claimCrossingsOf(tx: Tx, orgs: readonly OrgId[]): Promise<LowBalanceCrossing[]> {
  await tx.commitWithWallets()
  const claimed: LowBalanceCrossing[] = []
  for (const org of orgs)
    claimed.push(
      ...(await tx.rows<LowBalanceCrossing>`
        select org_id as "orgId", currency, balance_minor as "balanceMinor", threshold_minor as "thresholdMinor"
        from wallet_take_crossing(${org})`),
    )
  return claimed
}

export type LowBalanceState = 'above' | 'crossed' | 'told'

/** Locks the wallet until the transaction ends. */
export async function lockLowBalanceState(tx: Tx, org: OrgId): Promise<LowBalanceState> {
  const { low } = await tx.one<{ low: LowBalanceState }>`select wallet_low(${org}) as low`
  return low
}

/** Restores the state of `lockLowBalanceState` after postings that cancel out, so that they cause no notification. */
export async function updateLowBalanceState(tx: Tx, org: OrgId, state: LowBalanceState): Promise<void> {
  await tx.commitWithWallets()
  await tx.rows`select wallet_keep_low(${org}, ${state})`
}
