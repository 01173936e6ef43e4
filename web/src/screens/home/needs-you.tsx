// Matters that only the user can settle: approvals, payments, an empty wallet, unfinished work.
import type { MeUsageReply, TaskSummary } from '@cowrie/sdk'
import type { Me } from '../../data/session.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { formatMoney } from '../../i18n/money.ts'
import { t, tn } from '../../i18n/t.ts'
import { Section } from '../../ui/base/sheet.tsx'
import { daysLeft } from './days-left.ts'
import type { UnfinishedItem } from './unfinished.tsx'

export type Need = { id: string; title: string; note?: string; href: string; action: string }

/** The balance is low when it lasts for fewer days. */
const LOW_DAYS = 3

export const NeedsYou = ({ needs }: { needs: readonly Need[] }) => (
  <Section title={t('Needs you')}>
    <ul class="needs">
      {needs.map(({ id, title, note, href, action }) => (
        <li key={id} class="need">
          <div>
            <p class="row-name">
              <bdi>{title}</bdi>
            </p>
            {note && <p class="help">{note}</p>}
          </div>
          <a class="button" href={href}>
            {action}
          </a>
        </li>
      ))}
    </ul>
  </Section>
)

export function needsOf(
  me: Me,
  unfinished: readonly UnfinishedItem[],
  tasks: readonly TaskSummary[],
  usage: MeUsageReply | null,
): Need[] {
  return [
    ...tasks
      .filter(({ status }) => status === 'waiting')
      .map(({ id, title }) => ({
        id,
        title,
        note: t('A task waits for your approval.'),
        href: `/app/tasks/${id}`,
        action: t('Review'),
      })),
    ...paymentOf(me),
    ...unfinished.map(({ id, title, since, href, action }) => ({
      id,
      title,
      note: formatDateTime(new Date(since).toISOString()),
      href,
      action,
    })),
    ...lowBalanceOf(me, usage),
  ]
}

function paymentOf({ subscriptionStatus, role }: Me): Need[] {
  if (role === 'member' || (subscriptionStatus !== 'past_due' && subscriptionStatus !== 'incomplete'))
    return []
  return [
    {
      id: 'plan',
      title: t('The payment for your plan failed'),
      note: t('Paid features stop when it stays unpaid.'),
      href: '/app/billing',
      action: t('Pay now'),
    },
  ]
}

/** New users learn about the top-up from their first steps. */
function lowBalanceOf(me: Me, usage: MeUsageReply | null): Need[] {
  if (!usage || usage.totals.tokens === 0) return []
  const left = me.availableMinor + me.includedRemainingMinor
  const lasts = daysLeft(left, usage.totals.byDay, new Date(usage.to))
  if (left > 0n && (lasts === null || lasts.days > LOW_DAYS)) return []
  return [
    {
      id: 'balance',
      title: t('Your balance is low: {amount}', { amount: formatMoney(me.availableMinor, me.currency) }),
      ...(lasts && left > 0n && { note: tn(lasts.days, '{n} day left', '{n} days left') }),
      href: '/app/wallet#top-up',
      action: t('Top up'),
    },
  ]
}
