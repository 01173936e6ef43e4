// Plan and cards: payment result, plan, offers, seats, cards and billing details.
import type { BillingSummary, Invoice } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { isOnline } from '../../data/network.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { type Me, reloadSession, session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { appLocation } from '../../router/location.ts'
import { Page } from '../../ui/base/sheet.tsx'
import { Menu } from '../../ui/layout/menu.tsx'
import { Payment, type Purpose } from '../wallet/payment/payment.tsx'
import { checkWithProvider } from '../wallet/payment/watch-payment.ts'
import { BillingDetailsSection } from './billing-details.tsx'
import { Cards } from './cards.tsx'
import { billPaymentTexts } from './payment-texts.ts'
import { CancelPlan, canCancel } from './plan/cancel-plan.tsx'
import { PastDue } from './plan/past-due.tsx'
import { YourPlan } from './plan/plan.tsx'
import { PlanOffers } from './plan/plan-offers.tsx'
import { canStartPlan } from './plan/plan-texts.ts'
import { usePollChange } from './plan/poll-change.ts'
import { Seats } from './plan/seats.tsx'

export default function Billing() {
  const { value } = session
  // Remount for another organisation, so that no state of the previous one stays.
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const reference = appLocation.value.query.get('reference')
  const summary = useResource('billing.summary', () => api.billing.summary())
  const cards = useResource('cards', () => api.paymentMethods.list())
  const isCancelling = useSignal(false)
  const current = summary.current.value
  const known = current.state === 'ready' ? current.value : null

  async function refresh(): Promise<void> {
    await Promise.all([summary.load(), cards.load(), reloadSession()])
  }
  usePollChange(known?.subscription?.changeInProgress === true, summary.load)

  return (
    <Page
      title={t('Plan and cards')}
      menu={
        <Menu label={t('More')}>
          <a href="/app/invoices">{t('Invoices')}</a>
          {known && canCancel(known) && me.role === 'owner' && (
            <button
              type="button"
              class="grave"
              disabled={!isOnline.value}
              onClick={() => {
                isCancelling.value = true
              }}
            >
              {t('Cancel plan')}
            </button>
          )}
        </Menu>
      }
    >
      {reference !== null && <Paid key={reference} reference={reference} me={me} onNews={refresh} />}
      {known?.subscription?.openInvoiceId && (
        <PastDue
          subscription={known.subscription}
          invoiceId={known.subscription.openInvoiceId}
          me={me}
          onNews={refresh}
        />
      )}
      {known?.subscription?.changeInProgress && (
        <p class="band" role="status">
          {t('A plan change is waiting for its payment. This page updates by itself.')}
        </p>
      )}
      <YourPlan from={summary} me={me} onNews={refresh} />
      {/* Rendered top to bottom, so that late parts do not move earlier ones. */}
      {known && <PlanOffers me={me} summary={known} onNews={refresh} />}
      {known && sellsSeats(known) && known.plan && (
        <Seats key={known.seats.total} me={me} summary={known} plan={known.plan} onNews={refresh} />
      )}
      {isThere(summary) && <Cards me={me} from={cards} hasPlan={known !== null && !canStartPlan(known)} />}
      {isThere(summary) && isThere(cards) && <BillingDetailsSection me={me} />}
      {isCancelling.value && known?.subscription && known.plan && (
        <CancelPlan
          subscription={known.subscription}
          plan={known.plan}
          onNews={refresh}
          onClose={() => {
            isCancelling.value = false
          }}
        />
      )}
    </Page>
  )
}

const isThere = <T,>({ current }: Resource<T>): boolean => current.value.state !== 'loading'

const sellsSeats = ({ plan, subscription }: BillingSummary): boolean =>
  plan !== null && plan.seatPriceMinor > 0n && subscription?.status === 'active'

type PaidProps = { reference: string; me: Me; onNews: () => Promise<void> }

/** The result of a payment after the return from the provider. Its invoice tells what it was for. */
function Paid({ reference, me, onNews }: PaidProps) {
  const invoices = useResource('invoices.newest', () => api.invoices.list({ limit: 10 }))
  const { value } = invoices.current
  const listed = value.state === 'ready' ? value.value.invoices : []
  return (
    <Payment
      reference={reference}
      currency={me.currency}
      purpose={purposeOf(listed.find((invoice) => invoice.reference === reference))}
      onNews={() => {
        void invoices.load()
        void onNews()
      }}
    />
  )
}

const purposeOf = (invoice: Invoice | undefined): Purpose => ({
  look: checkWithProvider,
  wordsOf: (standing, amount) => billPaymentTexts(standing, amount, invoice?.subject),
  home: '/app/billing',
  instead: t('Back to your plan'),
  back: t('Back to your plan'),
})
