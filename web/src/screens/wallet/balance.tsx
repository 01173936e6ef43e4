// The exact balance, how long it lasts, and what is held.
import type { MeUsageReply, Wallet } from '@cowrie/sdk'
import type { Resource } from '../../data/resource.ts'
import type { Me } from '../../data/session.ts'
import { formatDate, formatTime } from '../../i18n/format.ts'
import { formatMoney } from '../../i18n/money.ts'
import { t, tn } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { type Fact, Facts } from '../../ui/base/facts.tsx'
import { Weave } from '../../ui/layout/weave.tsx'
import { daysLeft } from '../home/days-left.ts'

/** The cloth is full at one month. */
const FULL_DAYS = 30
const LOW_DAYS = 3

type Props = {
  from: Resource<Wallet>
  usage: Resource<MeUsageReply>
  /** The number of open holds; null while unknown. */
  holdsOpen: number | null
  me: Me
}

export function Balance({ from, usage, holdsOpen, me }: Props) {
  const { currency } = me
  const current = from.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={from.load} />
  const known = current.state === 'ready' ? current.value : null
  const spent = usage.current.value
  return (
    <section class="balance" aria-label={t('Balance')} aria-busy={known === null}>
      <p class="small-title">
        {t('Available')}
        {current.state === 'ready' &&
          current.asOf &&
          ` · ${t('as of {time}', { time: formatTime(current.asOf) })}`}
      </p>
      <p>
        <bdi dir="ltr" class={known ? 'amount' : 'blank amount'} data-testid="balance">
          {known && formatMoney(known.availableMinor, currency)}
        </bdi>
      </p>
      <div class="wallet-lasts">
        {known && spent.state === 'ready' && <Lasts wallet={known} usage={spent.value} me={me} />}
      </div>
      <Facts lines={known ? linesOf(known, holdsOpen, me) : [[t('Balance'), null]]} />
    </section>
  )
}

function linesOf(wallet: Wallet, holdsOpen: number | null, { currency }: Me): Fact[] {
  const amount = (minor: bigint) => formatMoney(minor, currency)
  const { balanceMinor, heldMinor, includedRemainingMinor, trialMinor, trialExpiresAt } = wallet
  const lines: (Fact | false)[] = [
    [t('Balance'), amount(balanceMinor)],
    [heldLabel(holdsOpen), amount(heldMinor)],
    trialMinor > 0n && [
      trialExpiresAt === null
        ? t('Of it trial credit (used first)')
        : t('Of it trial credit (used first, until {date})', { date: formatDate(trialExpiresAt) }),
      amount(trialMinor),
    ],
    includedRemainingMinor > 0n && [t('Left in your plan (used first)'), amount(includedRemainingMinor)],
  ]
  return lines.filter((line): line is Fact => line !== false)
}

/** A hold reserves the maximum cost of running work. The rest returns when the work ends. */
const heldLabel = (holdsOpen: number | null): string =>
  holdsOpen === null || holdsOpen === 0
    ? t('Held for work in progress')
    : tn(holdsOpen, 'Held for {n} piece of work in progress', 'Held for {n} pieces of work in progress')

function Lasts({ wallet, usage, me }: { wallet: Wallet; usage: MeUsageReply; me: Me }) {
  const leftMinor = wallet.availableMinor + wallet.includedRemainingMinor
  const lasts = daysLeft(leftMinor, usage.totals.byDay, new Date(usage.to))
  if (!lasts) return <p class="help">{t('Days left appear here after your first charge.')}</p>
  const { days, until, isLonger } = lasts
  return (
    <>
      <Weave of={days / FULL_DAYS} tone={days <= LOW_DAYS ? 'warn' : 'accent'} />
      <p data-testid="days-left">
        <strong>{isLonger ? t('More than a year left') : tn(days, '{n} day left', '{n} days left')}</strong>{' '}
        <span class="help">
          {!isLonger && `${t('until {date}', { date: formatDate(until.toISOString()) })} · `}
          {me.orgType === 'team' ? t('by your own last 7 days') : t('by your last 7 days')}
        </span>
      </p>
    </>
  )
}
