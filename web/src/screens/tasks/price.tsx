// The price of a turn before it starts, and the missing amount.
import type { TaskTurnQuote } from '@cowrie/sdk'
import { type Currency, formatMoney, plainAmount } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { usualCost } from '../../ui/money/usual-cost.ts'
import type { QuoteState } from './use-quote.ts'

type Props = { quoted: QuoteState; currency: Currency; again: () => void }

export function Price({ quoted, currency, again }: Props) {
  if (quoted.state === 'failed') return <ErrorNotice failure={quoted.failure} retry={again} />
  const quote = quoted.state === 'ready' ? quoted.quote : quoted.state === 'asking' ? quoted.last : null
  return (
    <div class="task-price" aria-busy={quoted.state === 'asking'}>
      {quote ? (
        <>
          <p class={quoted.state === 'asking' ? 'help stale' : 'help'}>
            <PriceRange quote={quote} currency={currency} />
          </p>
          <Missing quote={quote} currency={currency} />
        </>
      ) : (
        <p class="help">{t('The price appears here before you spend anything.')}</p>
      )}
    </div>
  )
}

/** The label of the button: the maximum that the turn can cost. */
export function priceLabel(text: string, quoted: QuoteState, currency: Currency): string {
  if (quoted.state === 'ready')
    return `${text} · ${t('at most {amount}', { amount: formatMoney(quoted.quote.maxMinor, currency) })}`
  return quoted.state === 'asking' ? t('Calculating the price …') : text
}

function PriceRange({ quote: { usuallyMinor }, currency }: { quote: TaskTurnQuote; currency: Currency }) {
  if (!usuallyMinor) return <>{t('You pay only for usage.')}</>
  const usual = <bdi dir="ltr">{usualCost(usuallyMinor, currency)}</bdi>
  return <Trans text="Usually {usual}. You pay only for usage." usual={usual} />
}

function Missing({ quote, currency }: { quote: TaskTurnQuote; currency: Currency }) {
  const { affordable, availableMinor, leastMinor, maxMinor } = quote
  if (affordable) return null
  if (leastMinor > maxMinor)
    return (
      <p class="help bad">
        {t('The budget is too low. A turn needs at least {amount}.', {
          amount: formatMoney(leastMinor, currency),
        })}
      </p>
    )
  const missing = leastMinor - availableMinor
  return (
    <p class="help" role="status">
      <span class="bad">
        {t('You need {amount} more to start.', { amount: formatMoney(missing, currency) })}
      </span>{' '}
      <a href={`/app/wallet?amount=${plainAmount(missing, currency)}#top-up`}>
        {t('Top up {amount} or more', { amount: formatMoney(missing, currency) })}
      </a>{' '}
      {t('Your text and files stay here.')}
    </p>
  )
}
