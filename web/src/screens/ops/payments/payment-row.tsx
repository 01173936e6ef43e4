// One payment in a list.
import type { AdminPayment } from '@cowrie/sdk'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { moneyIn } from '../../../ui/money/currencies.ts'
import { PAYMENT_TEXTS } from './payment-texts.ts'

export function PaymentRow({ payment, withOrg = true }: { payment: AdminPayment; withOrg?: boolean }) {
  const { reference, orgId, orgName, status, channel, mode, amountMinor, currency, reason, createdAt } =
    payment
  const [words, look] = PAYMENT_TEXTS[status]
  const amount = moneyIn(amountMinor, currency)
  return (
    <div class="row">
      <div>
        <p class="row-name">
          <bdi dir="ltr">{amount}</bdi> <span class={look}>{t(words)}</span>{' '}
          {mode === 'mock' && <span class="chip">{t('test mode')}</span>}
        </p>
        <p class="help">
          {withOrg && (
            <>
              <a class="org-link" href={`/app/ops/orgs/${orgId}?part=money`} dir="auto">
                {orgName}
              </a>{' '}
              ·{' '}
            </>
          )}
          <bdi>{channel}</bdi> · {formatDateTime(createdAt)}
        </p>
        {reason && (
          <p class="help" dir="auto">
            {reason}
          </p>
        )}
      </div>
      <a
        class="button"
        href={`/app/ops/payments/${encodeURIComponent(reference)}`}
        aria-label={t('Open the payment of {amount}, {time}', { amount, time: formatDateTime(createdAt) })}
      >
        {t('Open')}
      </a>
    </div>
  )
}
