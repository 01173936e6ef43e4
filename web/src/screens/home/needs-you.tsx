// Matters that only the user can settle: approvals, payments, an empty wallet, unfinished work.
import type { MeUsageReply, TaskSummary } from '@cowrie/sdk'
import type { Me } from '../../data/session.ts'
import { formatMoney } from '../../i18n/money.ts'
import { t, tn } from '../../i18n/t.ts'
import { Section } from '../../ui/base/sheet.tsx'
import { daysLeft } from './days-left.ts'

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

type Known = {
  me: Me
  topups: readonly Need[]
  tasks: readonly TaskSummary[]
  usage: MeUsageReply | null
  /** The balance below which the organisation wants a warning. Null for members, who cannot see it. */
  thresholdMinor: bigint | null
}

export function needsOf({ me, topups, tasks, usage, thresholdMinor }: Known): Need[] {
  return [
    ...tasks
      .filter(({ status }) => status === 'waiting')
      .map(({ id, title }) => ({
        id,
        title,
        note: t('This task needs your approval.'),
        href: `/app/tasks/${id}`,
        action: t('Review'),
      })),
    ...paymentOf(me),
    ...topups,
    ...lowBalanceOf(me, usage, thresholdMinor),
  ]
}

function paymentOf({ subscriptionStatus, role }: Me): Need[] {
  if (role === 'member' || (subscriptionStatus !== 'past_due' && subscriptionStatus !== 'incomplete'))
    return []
  return [
    {
      id: 'plan',
      title: t('The payment for your plan failed'),
      note: t('Pay now to keep your plan.'),
      href: '/app/billing',
      action: t('Pay now'),
    },
  ]
}

/** New users learn about the top-up from their first steps. */
function lowBalanceOf(me: Me, usage: MeUsageReply | null, thresholdMinor: bigint | null): Need[] {
  if (!usage || usage.totals.tokens === 0) return []
  const left = me.availableMinor + me.includedRemainingMinor
  const lasts = daysLeft(left, usage.totals.byDay, new Date(usage.to))
  const isShort = left <= 0n || (lasts !== null && lasts.days <= LOW_DAYS)
  if (!isShort && me.balanceMinor >= (thresholdMinor ?? 0n)) return []
  return [
    {
      id: 'balance',
      title: t('Your balance is low: {amount}', { amount: formatMoney(me.availableMinor, me.currency) }),
      ...(lasts && left > 0n && { note: tn(lasts.days, '{n} day left', '{n} days left') }),
      href: '/app/wallet/top-up#top-up',
      action: t('Top up'),
    },
  ]
}
