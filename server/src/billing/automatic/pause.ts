// Pauses automatic top-up. Callers hold `lockOrg`.
import { record } from '../../audit/audit.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { MailContent } from '../../platform/mail/mail.ts'
import { setTopupThreshold } from '../../wallet/wallet.ts'
import { mailOwners } from '../renewals/mails.ts'
import { type AutomaticTopup, markPaused, type PausedReason } from '../topup-rule/topup-rule-sql.ts'

const DETAIL_CHARACTERS_MAX = 500

export type Pause = {
  readonly reason: PausedReason
  /** The words of the bank. */
  readonly detail: string | null
  readonly mail: MailContent
}

/** Pauses it until an owner resumes it, and notifies the owners. */
export async function pauseTopup(
  app: App,
  tx: Tx,
  { orgId, cardId }: AutomaticTopup,
  { reason, detail, mail }: Pause,
): Promise<void> {
  await markPaused(tx, orgId, reason, detail?.slice(0, DETAIL_CHARACTERS_MAX) ?? null)
  await setTopupThreshold(tx, orgId, null)
  await mailOwners(app, tx, orgId, mail)
  await record(tx, {
    ...{ orgId, actor: { kind: 'system' }, action: 'automaticTopup.pause', target: cardId },
    metadata: { reason, detail },
  })
  tx.afterCommit(() => app.log.warn({ orgId, reason }, 'billing.automatic_topup.paused'))
}
