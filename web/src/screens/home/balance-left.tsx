// The balance, and how long it lasts.
import type { MeUsageReply } from '@cowrie/sdk'
import type { ResourceState } from '../../data/resource.ts'
import type { Me } from '../../data/session.ts'
import { formatDate } from '../../i18n/format.ts'
import { formatMoney } from '../../i18n/money.ts'
import { t, tn } from '../../i18n/t.ts'
import { Weave } from '../../ui/layout/weave.tsx'
import { daysLeft } from './days-left.ts'

/** The cloth is full at one month. */
const FULL_DAYS = 30
const LOW_DAYS = 3

type Props = { me: Me | null; usage: ResourceState<MeUsageReply> }

export function BalanceLeft({ me, usage }: Props) {
  return (
    <section class="balance-left" aria-label={t('Balance')}>
      <h2 class="small-title">{t('Available')}</h2>
      <bdi dir="ltr" class={me ? 'amount' : 'blank amount'} data-testid="balance">
        {me && formatMoney(me.availableMinor, me.currency)}
      </bdi>
      <p class="help">{me ? heldText(me) : <span class="blank line" />}</p>
      <div class="lasts">
        {me && usage.state === 'ready' && (
          <DaysLeftText
            leftMinor={me.availableMinor + me.includedRemainingMinor}
            usage={usage.value}
            isTeam={me.orgType === 'team'}
          />
        )}
      </div>
      {/* The bar of a phone has no room for it. */}
      <a class="button phone-top-up" href="/app/wallet/top-up#top-up">
        {t('Top up')}
      </a>
    </section>
  )
}

function heldText({ heldMinor, currency }: Me): string {
  if (heldMinor === 0n) return t('Nothing on hold')
  return t('{amount} on hold for work in progress', { amount: formatMoney(heldMinor, currency) })
}

type LeftProps = {
  /** The available balance with the rest of the plan. */
  leftMinor: bigint
  usage: MeUsageReply
  isTeam: boolean
  /** Before the first charge. */
  otherwise?: string
}

export function DaysLeftText({ leftMinor, usage, isTeam, otherwise }: LeftProps) {
  const lasts = daysLeft(leftMinor, usage.totals.byDay, new Date(usage.to))
  if (!lasts) return otherwise === undefined ? null : <p class="help">{otherwise}</p>
  const { days, until, isLonger } = lasts
  return (
    <>
      <Weave of={days / FULL_DAYS} tone={days <= LOW_DAYS ? 'warn' : 'accent'} />
      <p data-testid="days-left">
        <strong>{isLonger ? t('More than a year left') : tn(days, '{n} day left', '{n} days left')}</strong>{' '}
        {!isLonger && t('until {date}', { date: formatDate(until.toISOString()) })}
      </p>
      <p class="help">
        {isTeam
          ? t('Based on your own last 7 days. Others also spend from this balance.')
          : t('Based on your last 7 days.')}
      </p>
    </>
  )
}
