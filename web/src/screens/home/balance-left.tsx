// The balance, and how long it lasts.
import type { MeUsageReply } from '@cowrie/sdk'
import type { ResourceState } from '../../data/resource.ts'
import type { Me } from '../../data/session.ts'
import { formatDate } from '../../i18n/format.ts'
import { formatMoney } from '../../i18n/money.ts'
import { t, tn } from '../../i18n/t.ts'
import { daysLeft } from './days-left.ts'

/** The gauge is full at one month. */
const FULL_DAYS = 30
const LOW_DAYS = 3

type Props = { me: Me | null; usage: ResourceState<MeUsageReply> }

export function BalanceLeft({ me, usage }: Props) {
  return (
    <>
      <h1 id="screen-title" tabIndex={-1} class="amount-title">
        <span class="small-title">{t('Available')}</span>
        <bdi dir="ltr" class={me ? 'amount' : 'blank amount'} data-testid="balance">
          {me && formatMoney(me.availableMinor, me.currency)}
        </bdi>
      </h1>
      <p class="help">{me ? heldText(me) : <span class="blank line" />}</p>
      <div class="choices">
        {/* Without money the top-up is the primary action. */}
        <a class={isEmpty(me) ? 'button' : 'button primary'} href="/app/agent">
          {t('New agent run')}
        </a>
        <a class={isEmpty(me) ? 'button primary' : 'button'} href="/app/wallet#top-up">
          {t('Top up')}
        </a>
      </div>
      {me && usage.state === 'ready' && <DaysLeftText me={me} usage={usage.value} />}
    </>
  )
}

const isEmpty = (me: Me | null): boolean => me !== null && me.availableMinor + me.includedRemainingMinor <= 0n

function heldText({ heldMinor, currency }: Me): string {
  if (heldMinor === 0n) return t('Nothing is held for work in progress.')
  return t('{amount} is held for work in progress.', { amount: formatMoney(heldMinor, currency) })
}

function DaysLeftText({ me, usage }: { me: Me; usage: MeUsageReply }) {
  const lasts = daysLeft(
    me.availableMinor + me.includedRemainingMinor,
    usage.totals.byDay,
    new Date(usage.to),
  )
  if (!lasts) return null
  const { days, until, isLonger } = lasts
  return (
    <div class="lasts">
      <meter
        class="days-left"
        aria-label={t('Days of balance left')}
        min={0}
        low={LOW_DAYS}
        max={FULL_DAYS}
        optimum={FULL_DAYS}
        value={Math.min(days, FULL_DAYS)}
      />
      <p data-testid="days-left">
        <strong>{isLonger ? t('More than a year left') : tn(days, '{n} day left', '{n} days left')}</strong>{' '}
        {!isLonger && t('until {date}', { date: formatDate(until.toISOString()) })}
      </p>
      <p class="help">
        {me.orgType === 'team'
          ? t('Based on your own last 7 days. Others also spend from this balance.')
          : t('Based on your last 7 days.')}
      </p>
    </div>
  )
}
