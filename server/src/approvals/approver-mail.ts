// Tells those who may approve a money action that it waits.
import { allStaff } from '../identity/identity.ts'
import { format, money } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { StaffTier } from '../platform/http/actor.ts'
import { plainMail, withoutAutoLinks } from '../platform/mail/mail.ts'
import type { NewApproval } from './sql.ts'

export const APPROVERS = ['billing', 'operator', 'super_admin'] as const satisfies readonly StaffTier[]
/** The longest-serving staff receive the mail. */
const RECIPIENTS_MAX = 50

/** In the transaction of the request, so that each request is mailed once. */
export async function mailApprovers(
  app: App,
  tx: Tx,
  { kind, amountMinor, currency, reason, requestedBy, requesterEmail, expiresAt }: NewApproval,
): Promise<void> {
  const content = plainMail(
    'A money action needs your approval',
    [
      `${requesterEmail} asks for ${kind} of ${format(money(amountMinor, currency))}. Nothing happens before another member of staff approves it.`,
      `Reason: ${withoutAutoLinks(reason)}`,
      `The request expires at ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
    ],
    { label: 'See approvals', url: `${app.config.baseUrl}/app/ops/approvals` },
  )
  const staff = await allStaff(tx, app.config.rootAdminEmail)
  const approvers = staff.filter(
    ({ userId, role }) => userId !== requestedBy && APPROVERS.some((tier) => tier === role),
  )
  for (const { email } of approvers.slice(0, RECIPIENTS_MAX))
    await app.mail.send(tx, { to: email, ...content })
}
