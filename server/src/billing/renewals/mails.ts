// What owners and admins are told about renewals that did not go by themselves.
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

type UnpaidRenewal = { readonly bill: Bill; readonly subscription: Subscription }

/** A year ends within days. */
export function upcomingMail(
  app: App,
  subscription: Subscription,
  { chargeNowMinor, lines }: Quote,
): MailContent {
  const amount = format(money(chargeNowMinor, subscription.currency))
  return plainMail(
    `${amount} will be charged on ${day(subscription.periodEnd)}`,
    [
      `Your plan is renewed then, and ${amount} is charged to your card: ${lines.map(({ description }) => description).join('; ')}.`,
      'Before that you can change the plan, the number of seats or the card, or cancel it.',
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
      `We tried to charge ${amountOf(bill)} for the next period, and it was not paid. ${reason}`,
      `Nothing was charged. The included usage of your plan waits until it is paid; your wallet works as before.`,
      `We try again on ${day(nextAt)}. You can add another card or pay the open invoice before that.`,
    ],
    billingPage(app),
  )
}

/** The bank asks its customer. */
export function challengeMail({ bill, subscription }: UnpaidRenewal, authorizationUrl: string): MailContent {
  return plainMail(
    `Your bank asks you to confirm your ${planName(bill, subscription)} plan`,
    [
      `We tried to charge ${amountOf(bill)} for the next period, and your bank wants to hear from you first. Nothing is charged until you confirm it.`,
      'The included usage of your plan waits until then; your wallet works as before.',
    ],
    { label: 'Confirm at your bank', url: authorizationUrl },
  )
}

/** Nobody knows whether it is paid, for days. */
export function unansweredMail(app: App, { bill, subscription }: UnpaidRenewal): MailContent {
  return plainMail(
    `Your ${planName(bill, subscription)} plan waits for its payment`,
    [
      `We tried to charge ${amountOf(bill)} for the next period, and the card provider has not said yet whether it was paid. We keep asking, and never charge you twice.`,
      'The included usage of your plan waits until it is paid; your wallet works as before. There is nothing you have to do.',
    ],
    billingPage(app),
  )
}

/** A lesser plan was scheduled, and more people are in than it has seats. */
export function noRoomMail(
  app: App,
  before: Subscription,
  occupied: number,
  amountMinor: bigint,
): MailContent {
  const [stays, wanted] = [soldPlan(before).name, scheduledPlan(before)?.name ?? 'The other plan']
  return plainMail(
    `You stay on ${stays}: ${wanted} has no room for all of you`,
    [
      `You wanted to go on with ${wanted} from ${day(before.periodEnd)}, and you are ${occupied} by now. Nobody loses their seat: your ${stays} plan is renewed instead, for ${format(money(amountMinor, before.currency))}.`,
      `To change to ${wanted}, remove some members and choose it again; it then begins with the period after this one.`,
    ],
    billingPage(app),
  )
}

export function endedMail(app: App, ended: Subscription, reason: string): MailContent {
  return plainMail(
    `Your ${soldPlan(ended).name} plan has ended`,
    [
      reason,
      'Nothing more will be charged for it. What is in your wallet is yours, and works as before.',
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
