// Verifies the ledger: all checks, and the sum of all accounts.
import type { AdminLedgerInvariantsReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useAction } from '../../data/use-action.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { formatMoney } from '../../i18n/money.ts'
import { t, tn } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { currencyOf } from '../../ui/money/currencies.ts'
import { api } from './shared/staff-api.ts'

type Verdict = AdminLedgerInvariantsReply
/** Longer than the timeout of the service. */
const CHECK_TIMEOUT_MS = 240_000

export function LedgerCheck() {
  const verdict = useSignal<Verdict | null>(null)
  const check = useAction(async (cursor?: string) => {
    const before = verdict.value
    const next = await api.admin.ledger.invariants(cursor ? { cursor } : {}, { timeoutMs: CHECK_TIMEOUT_MS })
    // A later page cannot fix an earlier failure.
    verdict.value = cursor && before ? { ...next, ok: next.ok && before.ok } : next
    announce(next.ok ? t('All checks passed.') : t('A check failed.'))
  })
  const current = verdict.value
  return (
    <>
      <p>{t('Compares wallets, postings, holds, payments, refunds and invoices.')}</p>
      {check.failure.value && <ErrorNotice failure={check.failure.value} />}
      <div class="choices">
        <button
          type="button"
          class="primary"
          aria-disabled={check.busy.value}
          onClick={() => void check.run()}
        >
          {check.busy.value ? t('Checking …') : t('Check ledger')}
        </button>
        {current?.nextCursor && (
          <button
            type="button"
            aria-disabled={check.busy.value}
            onClick={() => void check.run(current.nextCursor ?? undefined)}
          >
            {t('Check next entries')}
          </button>
        )}
      </div>
      {current && <CheckResult verdict={current} />}
    </>
  )
}

const CheckResult = ({ verdict: { ok, at, checks, trialBalance } }: { verdict: Verdict }) => (
  <div class="checked">
    <p class={ok ? 'ok' : 'light wrong'} data-testid="ledger-verdict">
      {ok ? t('All checks passed.') : t('A check failed.')}
    </p>
    <p class="help">{formatDateTime(at)}</p>
    <ul class="rows lights">
      {checks.map(({ name, holds, ok: isOk, finished, checked, violations, examples }) => (
        <li key={name}>
          <p>
            <span class={isOk ? 'light on' : finished ? 'light wrong' : 'light'}>
              {isOk ? t('passed') : finished ? t('failed') : t('not finished')}
            </span>{' '}
            <span>{holds}</span>
          </p>
          <p class="help">
            <code dir="ltr">{name}</code> · {tn(checked, '{n} checked', '{n} checked')}
            {violations > 0 &&
              ` · ${tn(violations, '{n} violation', '{n} violations')}: ${examples.join(', ')}`}
          </p>
        </li>
      ))}
    </ul>
    <h3>{t('Trial balance')}</h3>
    {trialBalance.length === 0 && <p class="help">{t('No money has moved yet.')}</p>}
    {trialBalance.map(({ currency, ok: isOk, sumMinor, accounts }) => (
      <details key={currency}>
        <summary>
          <span class={isOk ? 'light on' : 'light wrong'}>
            {currency}:{' '}
            {isOk
              ? t('sums to zero')
              : t('off by {amount}', { amount: formatMoney(sumMinor, currencyOf(currency)) })}
          </span>
        </summary>
        <ul class="rows">
          {accounts.map(({ account, totalMinor }) => (
            <li key={account} class="row">
              <span>{account}</span>
              <bdi dir="ltr">{formatMoney(totalMinor, currencyOf(currency))}</bdi>
            </li>
          ))}
        </ul>
      </details>
    ))}
  </div>
)
