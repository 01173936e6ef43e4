// The budget of a key with the part that is spent, and its other limits.
import type { ApiKey } from '@cowrie/sdk'
import { locale } from '../../i18n/language.ts'
import { type Currency, formatMoney } from '../../i18n/money.ts'
import { msg, t, tn } from '../../i18n/t.ts'
import { CapBar, NEAR_PERCENT } from '../../ui/charts/cap-bar.tsx'
import { percentOf } from '../../ui/charts/percent.ts'

type Props = { listed: ApiKey; currency: Currency }

/** Literals, because the translations have whole sentences. */
const SPENT = {
  total: msg('{spent} of {budget} spent in total, {left} left'),
  day: msg('{spent} of {budget} spent today, {left} left'),
  week: msg('{spent} of {budget} spent this week, {left} left'),
  month: msg('{spent} of {budget} spent this month, {left} left'),
}

export function KeyBudget({ listed, currency }: Props) {
  const { budgetMinor, budgetLeftMinor, budgetPeriod, spentMinor } = listed
  if (budgetMinor === null)
    return spentMinor > 0n ? (
      <p class="help">{t('{spent} spent', { spent: formatMoney(spentMinor, currency) })}</p>
    ) : null
  // Reserved money counts as used: calls that need it are refused already.
  const left = budgetLeftMinor === null || budgetLeftMinor < 0n ? 0n : budgetLeftMinor
  const used = budgetMinor - left
  return (
    <div class="key-budget">
      <p class="help">
        {t(SPENT[budgetPeriod], {
          spent: formatMoney(spentMinor, currency),
          budget: formatMoney(budgetMinor, currency),
          left: formatMoney(left, currency),
        })}{' '}
        <BudgetState used={used} budget={budgetMinor} />
      </p>
      <CapBar spentMinor={used} capMinor={budgetMinor} />
    </div>
  )
}

function BudgetState({ used, budget }: { used: bigint; budget: bigint }) {
  if (used >= budget) return <span class="chip bad">{t('Budget used up')}</span>
  const percent = percentOf(used, budget)
  if (percent < NEAR_PERCENT) return null
  return <span class="chip warn">{t('{n} % used', { n: percent })}</span>
}

/** "Models: open, claude-* · 60 requests per minute". */
export function KeyLimitsLine({ listed }: { listed: ApiKey }) {
  const { models, requestsPerMinute, tokensPerMinute, allowedAddresses } = listed
  const list = (all: readonly string[]) => new Intl.ListFormat(locale(), { type: 'unit' }).format(all)
  const parts = [
    models && t('Models: {list}', { list: list(models) }),
    requestsPerMinute && tn(requestsPerMinute, '{n} request per minute', '{n} requests per minute'),
    tokensPerMinute && tn(tokensPerMinute, '{n} token per minute', '{n} tokens per minute'),
    allowedAddresses && t('From {list}', { list: list(allowedAddresses) }),
  ].filter((part) => typeof part === 'string')
  return parts.length === 0 ? null : <p class="help">{parts.join(' · ')}</p>
}
