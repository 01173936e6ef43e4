// The exact balance, how long it lasts, and what is on hold.
import type { MeUsageReply, Wallet } from '@cowrie/sdk'
import { useEffect } from 'preact/hooks'
import type { Resource } from '../../data/resource.ts'
import { type Me, reloadSession } from '../../data/session.ts'
import { formatDate, formatTime } from '../../i18n/format.ts'
import { formatMoney } from '../../i18n/money.ts'
import { t, tn } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { type Fact, Facts } from '../../ui/base/facts.tsx'
import { DaysLeftText } from '../home/balance-left.tsx'

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
  const fresh = current.state === 'ready' && !current.asOf ? current.value.availableMinor : null
  // The bar shows the same amount as the page.
  useEffect(() => {
    if (fresh !== null && fresh !== me.availableMinor) void reloadSession()
  }, [fresh])
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={from.load} />
  const known = current.state === 'ready' ? current.value : null
  const spent = usage.current.value
  return (
    <section class="balance" aria-label={t('Balance')} aria-busy={known === null}>
      <div>
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
          {known && spent.state === 'ready' && (
            <DaysLeftText
              leftMinor={known.availableMinor + known.includedRemainingMinor}
              usage={spent.value}
              isTeam={me.orgType === 'team'}
              otherwise={t('Days left appear here after your first charge.')}
            />
          )}
        </div>
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
        ? t('Trial credit included, used first')
        : t('Trial credit included, used first, until {date}', { date: formatDate(trialExpiresAt) }),
      amount(trialMinor),
    ],
    includedRemainingMinor > 0n && [t('Left in your plan, used first'), amount(includedRemainingMinor)],
  ]
  return lines.filter((line): line is Fact => line !== false)
}

/** A hold reserves the maximum cost of running work. The rest returns when the work ends. */
const heldLabel = (holdsOpen: number | null): string =>
  holdsOpen === null || holdsOpen === 0
    ? t('On hold')
    : tn(holdsOpen, 'On hold for {n} request', 'On hold for {n} requests')
