// An unpaid renewal: consequences, next attempt, and how to pay now.

import type { Invoice, Subscription } from '@cowrie/sdk'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import type { Me } from '../../../data/session.ts'
import { t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { moneyIn } from '../../../ui/money/currencies.ts'
import { documentUrl } from '../../wallet/payment/receipt-link.tsx'
import { PayInvoice } from '../pay-invoice.tsx'
import { retryText } from './plan-texts.ts'

type Props = { subscription: Subscription; invoiceId: string; me: Me; onNews: () => Promise<void> }

export function PastDue({ subscription, invoiceId, me, onNews }: Props) {
  const invoice = useResource(`invoice ${invoiceId}`, () => api.invoices.get(invoiceId))
  const current = invoice.current.value
  return (
    <section class="band" aria-label={t('Unpaid renewal')}>
      <h2>{t('Your last renewal is unpaid')}</h2>
      <p>
        {t('Included usage is paused. Your wallet still works.')} {retryText(subscription)}
      </p>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={invoice.load} />}
      {current.state === 'loading' && <span class="blank control" aria-busy="true" />}
      {current.state === 'ready' && <Ways invoice={current.value} me={me} onNews={onNews} />}
    </section>
  )
}

const Ways = ({ invoice, me, onNews }: { invoice: Invoice; me: Me; onNews: () => Promise<void> }) => (
  <>
    <p>
      {t('Invoice {number}: {amount}', {
        number: invoice.number,
        amount: moneyIn(invoice.totalMinor, invoice.currency),
      })}
    </p>
    <div class="choices">
      <PayInvoice invoice={invoice} me={me} onPaid={onNews} />
      <a class="button" href={documentUrl(invoice.receiptUrl)} target="_blank" rel="noopener">
        {t('Open invoice')}
      </a>
    </div>
  </>
)
