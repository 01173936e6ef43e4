// Payments of all organisations, those under review first.
import type { AdminPayment } from '@cowrie/sdk'
import { usePages } from '../../../data/paged-resource.ts'
import { t } from '../../../i18n/t.ts'
import { appLocation, navigate } from '../../../router/location.ts'
import { Page, Section } from '../../../ui/base/sheet.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { api } from '../shared/staff-api.ts'
import { PaymentTable } from './payment-table.tsx'
import { PAYMENT_TEXTS } from './payment-texts.ts'

type Status = AdminPayment['status']

export default function Payments() {
  const status = statusIn(appLocation.value.query)
  return (
    <Page title={t('Payments')}>
      {status === null && (
        <Section title={t('Waiting for a decision')}>
          <List
            key="review"
            label={t('Waiting for a decision')}
            status="review"
            empty={t('No payments under review.')}
            more={t('More under review')}
          />
        </Section>
      )}
      <Section title={t('All payments')}>
        <search class="filters">
          <Select
            name="status"
            label={t('Status')}
            value={status ?? ''}
            onChoose={(value) =>
              navigate(value ? `/app/ops/payments?status=${value}` : '/app/ops/payments', { replace: true })
            }
            options={[
              ['', t('All')],
              ...Object.entries(PAYMENT_TEXTS).map(([key, [words]]) => [key, t(words)] as const),
            ]}
          />
        </search>
        <List
          key={status ?? 'all'}
          label={t('All payments')}
          status={status}
          empty={t('No matching payments.')}
          more={t('Older payments')}
        />
      </Section>
    </Page>
  )
}

type ListProps = { label: string; status: Status | null; empty: string; more: string }

function List({ label, status, empty, more }: ListProps) {
  const pages = usePages('payments', `admin.payments ${status ?? 'all'}`, async (cursor) => {
    const page = await api.admin.payments.list({ limit: 20, ...(status && { status }), ...cursor })
    return { ...page, payments: page.payments.map((payment) => ({ ...payment, id: payment.reference })) }
  })
  return <PaymentTable label={label} pages={pages} empty={empty} more={more} />
}

function statusIn(query: URLSearchParams): Status | null {
  const given = query.get('status') ?? ''
  return Object.hasOwn(PAYMENT_TEXTS, given) ? (given as Status) : null
}
