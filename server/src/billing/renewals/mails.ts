// Mails to owners and admins about renewals.
import type { OrgId } from '../../kernel/ids.ts'
import { format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type MailButton, type MailContent, plainMail } from '../../platform/mail/mail.ts'
import { listOrgContacts } from '../../teams/teams.ts'
import type { Bill } from '../bills/bills.ts'
import type { Quote } from '../quotes/quote.ts'
import { scheduledPlan, soldPlan } from '../subscriptions/subscription-plan.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'

const RECIPIENTS_MAX = 20

export async function mailOwners(app: App, tx: Tx, org: OrgId, content: MailContent): Promise<void> {
  for (const { email: to } of await listOrgContacts(tx, [org], RECIPIENTS_MAX))
    await app.mail.send(tx, { to, ...content })
}

export type UnpaidRenewal = { readonly bill: Bill; readonly subscription: Subscription }

/** A yearly period ends soon. */
export function upcomingMail(
  app: App,
  subscription: Subscription,
  { chargeNowMinor, lines }: Quote,
): MailContent {
  const amount = format(money(chargeNowMinor, subscription.currency))
  return plainMail(
    `${amount} will be charged on ${day(subscription.periodEnd)}`,
    [
      `Your plan renews on that day, and ${amount} is charged to your card: ${lines.map(({ description }) => description).join('; ')}.`,
      'Before then you can change the plan, the number of seats or the card, or cancel.',
    ],
    billingPage(app),
  )
}

/** No card paid. */
export function unpaidMail(
  app: App,
  { bill, subscription }: UnpaidRenewal,
  reason: string,
  nextAt: Date,
): MailContent {
  return plainMail(
    `Your ${planName(bill, subscription)} plan could not be renewed`,
    [
      `We tried to charge ${amountOf(bill)} for the next period, but the payment failed. ${reason}`,
      `Nothing was charged. The included usage of your plan is paused until the renewal is paid. Your wallet works as before.`,
      `We will try again on ${day(nextAt)}. You can add another card or pay the open invoice before then.`,
    ],
    billingPage(app),
  )
}

/** The bank requires a confirmation. */
export function challengeMail({ bill, subscription }: UnpaidRenewal, authorizationUrl: string): MailContent {
  return plainMail(
    `Your bank asks you to confirm your ${planName(bill, subscription)} plan`,
    [
      `We tried to charge ${amountOf(bill)} for the next period, and your bank asks for your confirmation. Nothing is charged until you confirm.`,
      'The included usage of your plan is paused until then. Your wallet works as before.',
    ],
    { label: 'Confirm at your bank', url: authorizationUrl },
  )
}

/** The outcome has been unknown for days. */
export function unansweredMail(app: App, { bill, subscription }: UnpaidRenewal): MailContent {
  return plainMail(
    `The renewal of your ${planName(bill, subscription)} plan is pending`,
    [
      `We tried to charge ${amountOf(bill)} for the next period. The card provider has not confirmed the payment yet. We keep checking and never charge you twice.`,
      'The included usage of your plan is paused until the payment is confirmed. Your wallet works as before. You do not need to do anything.',
    ],
    billingPage(app),
  )
}

/** The scheduled plan has fewer seats than the organisation has members. */
export function noRoomMail(
  app: App,
  before: Subscription,
  occupied: number,
  amountMinor: bigint,
): MailContent {
  const [currentName, scheduledName] = [
    soldPlan(before).name,
    scheduledPlan(before)?.name ?? 'The other plan',
  ]
  return plainMail(
    `You stay on ${currentName}: ${scheduledName} has too few seats`,
    [
      `You scheduled a change to ${scheduledName} on ${day(before.periodEnd)}, but your organisation now has ${occupied} members. No member loses a seat: your ${currentName} plan is renewed instead, for ${format(money(amountMinor, before.currency))}.`,
      `To change to ${scheduledName}, remove members and choose it again. The change takes effect at the end of the new period.`,
    ],
    billingPage(app),
  )
}

export function endedMail(app: App, ended: Subscription, reason: string): MailContent {
  return plainMail(
    `Your ${soldPlan(ended).name} plan has ended`,
    [
      reason,
      'It will not be charged again. The money in your wallet stays available.',
      'You can choose a plan again at any time.',
    ],
    billingPage(app),
  )
}

const planName = ({ effect, currency }: Bill, subscription: Subscription): string =>
  soldPlan({ ...subscription, ...effect, currency }).name
const amountOf = ({ amountMinor, currency }: Bill): string => format(money(amountMinor, currency))
const day = (at: Date): string => `${at.toISOString().slice(0, 10)} (UTC)`
const billingPage = ({ config }: App): MailButton => ({
  label: 'Open your billing page',
  url: `${config.baseUrl}/app/billing`,
})
