// The price of a run before it starts, and the missing amount.
import type { AgentQuote } from '@cowrie/sdk'
import { type Currency, formatMoney, plainAmount } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { Amount } from '../../../ui/base/amount.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { usualCost } from '../../../ui/money/usual-cost.ts'
import type { QuoteState } from './use-quote.ts'

type Props = { quoted: QuoteState; currency: Currency; again: () => void }

export function Price({ quoted, currency, again }: Props) {
  if (quoted.state === 'failed') return <ErrorNotice failure={quoted.failure} retry={again} />
  const quote = quoted.state === 'ready' ? quoted.quote : quoted.state === 'asking' ? quoted.last : null
  return (
    <div class="price" aria-busy={quoted.state === 'asking'}>
      {quote ? (
        <>
          <p class={quoted.state === 'asking' ? 'price-line stale' : 'price-line'}>
            <PriceRange quote={quote} currency={currency} />
          </p>
          <Standing quote={quote} currency={currency} />
          {quote.withheld?.some(({ path }) => path === 'prompt') && (
            <p class="help">{t('The task contains a possible secret. The model sees a placeholder.')}</p>
          )}
        </>
      ) : (
        <p class="price-line help">{t('The price appears here before you spend anything.')}</p>
      )}
    </div>
  )
}

function PriceRange({ quote, currency }: { quote: AgentQuote; currency: Currency }) {
  const { minMinor, maxMinor, usuallyMinor } = quote
  const max = <Amount class="price-max" minor={maxMinor} currency={currency} testId="quote-max" />
  if (!usuallyMinor)
    return (
      <Trans
        text="Usually from {min}, at most {max}."
        max={max}
        min={<Amount minor={minMinor} currency={currency} />}
      />
    )
  const usual = <bdi dir="ltr">{usualCost(usuallyMinor, currency)}</bdi>
  return <Trans text="Usually {usual}, at most {max}." usual={usual} max={max} />
}

function Standing({ quote, currency }: { quote: AgentQuote; currency: Currency }) {
  const { availableMinor, leastMinor, maxMinor, affordable } = quote
  if (affordable && availableMinor >= maxMinor)
    return <p class="help reassuring">{t('You pay only for usage. The rest of the hold is released.')}</p>
  if (affordable)
    return (
      <p class="help">
        {t('Your balance covers a shorter answer.')}{' '}
        <TopUp missing={maxMinor - availableMinor} currency={currency} />
      </p>
    )
  if (availableMinor >= leastMinor)
    return (
      <p class="help bad">
        {t('Your limit must be at least {amount} to start.', {
          amount: formatMoney(leastMinor, currency),
        })}
      </p>
    )
  return (
    <p class="help" role="status">
      <span class="bad">
        {t('You need {amount} more to start.', {
          amount: formatMoney(leastMinor - availableMinor, currency),
        })}
      </span>{' '}
      <TopUp missing={leastMinor - availableMinor} currency={currency} />{' '}
      {t('Your text and files stay here.')}
    </p>
  )
}

const TopUp = ({ missing, currency }: { missing: bigint; currency: Currency }) => (
  <a href={`/app/wallet?amount=${plainAmount(missing, currency)}#top-up`}>
    {t('Top up {amount} or more', { amount: formatMoney(missing, currency) })}
  </a>
)
