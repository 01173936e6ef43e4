// The warning before a wallet runs dry: one mail per crossing of the threshold, until the balance was above it again.
import { record } from '../../audit/audit.ts'
import { emit, type HookFact } from '../../hooks/hooks.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { job, type Schedule } from '../../platform/jobs/jobs.ts'
import { type MailContent, plainMail, withoutAutoLinks } from '../../platform/mail/mail.ts'
import { listOrgContacts } from '../../teams/teams.ts'
import { defaultThreshold } from './default-threshold.ts'
import * as sql from './low-balance-sql.ts'

// Few, because their wallets are locked until the mails are written.
const BATCH_SIZE = 10
const ROUNDS_MAX = 500
const RECIPIENTS_MAX = 20

export async function readSettings(app: App, orgId: OrgId) {
  return settingsOf(app, await app.db.tx(orgId, (tx) => sql.readThreshold(tx, orgId)))
}

/** Setting the threshold is no crossing: only what moves afterwards is. */
export function setThreshold(app: App, actor: Actor, thresholdMinor: bigint, ip: string) {
  const { orgId } = actor
  return app.db.tx(orgId, async (tx) => {
    // Of two at the same time the second records what the first has left.
    await tx.lock(`wallet settings ${orgId}`)
    const before = settingsOf(app, await sql.readThreshold(tx, orgId))
    await sql.setThreshold(tx, orgId, thresholdMinor)
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

/** Tells what has crossed, in rounds; what is left at the bound waits for the next run. Says how many wallets. */
export async function notifyLowBalances(app: App): Promise<number> {
  let told = 0
  for (let round = 0; round < ROUNDS_MAX; round++) {
    // Taken and told in one transaction: a crash between the two leaves neither.
    const taken = await app.db.tx('platform', (tx) => notifyBatch(app, tx))
    told += taken
    if (taken < BATCH_SIZE) break
  }
  return told
}

async function notifyBatch(app: App, tx: Tx): Promise<number> {
  const crossings = await sql.claimCrossings(tx, BATCH_SIZE)
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
  { orgId, balanceMinor, currency, ...crossing }: sql.LowBalanceCrossing,
): HookFact {
  const thresholdMinor = crossing.thresholdMinor ?? defaultThreshold(app, currency)
  return { orgId, type: 'balance.low', data: { balanceMinor, thresholdMinor, currency } }
}

function lowBalanceMail(app: App, orgName: string, crossing: sql.LowBalanceCrossing): MailContent {
  const amount = (minor: bigint) => format(money(minor, crossing.currency))
  const threshold = crossing.thresholdMinor ?? defaultThreshold(app, crossing.currency)
  return plainMail(
    'Your balance is low',
    [
      `The wallet of ${withoutAutoLinks(orgName)} holds ${amount(crossing.balanceMinor)}, which is below ${amount(threshold)}.`,
      'Work goes on until it is used up, and nothing is ever charged beyond it. You can top up now, or set another threshold.',
    ],
    { label: 'Open your wallet', url: `${app.config.baseUrl}/app/wallet` },
  )
}

const settingsOf = (app: App, { thresholdMinor, currency }: sql.Threshold) => ({
  lowBalanceThresholdMinor: thresholdMinor ?? defaultThreshold(app, currency),
  currency,
})
