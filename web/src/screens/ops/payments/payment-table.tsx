// Payments in a table, of all organisations or of one.
import type { AdminPayment } from '@cowrie/sdk'
import type { Pages } from '../../../data/paged-resource.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { moneyIn } from '../../../ui/money/currencies.ts'
import { DeskTable } from '../shared/desk-table.tsx'
import { PAYMENT_TEXTS } from './payment-texts.ts'

type Listed = AdminPayment & { id: string }
type Props = { label: string; pages: Pages<Listed>; empty: string; more: string; withOrg?: boolean }

export const PaymentTable = ({ withOrg = true, ...props }: Props) => (
  <DeskTable
    {...props}
    columns={[
      { title: t('Time'), cell: timeOf },
      ...(withOrg ? [{ title: t('Organisation'), cell: orgOf }] : []),
      {
        title: t('Amount'),
        isFigure: true,
        cell: (payment: Listed) => <bdi dir="ltr">{amountOf(payment)}</bdi>,
      },
      { title: t('Status'), cell: statusOf },
      { title: t('Channel'), cell: ({ channel }: Listed) => <bdi>{channel}</bdi> },
      { title: t('Reason'), cell: ({ reason }: Listed) => reason && <span dir="auto">{reason}</span> },
    ]}
  />
)

const amountOf = ({ amountMinor, currency }: AdminPayment): string => moneyIn(amountMinor, currency)

function timeOf(payment: AdminPayment) {
  const time = formatDateTime(payment.createdAt)
  return (
    <a
      class="org-link"
      href={`/app/ops/payments/${encodeURIComponent(payment.reference)}`}
      aria-label={t('{time}: open the payment of {amount}', { amount: amountOf(payment), time })}
    >
      {time}
    </a>
  )
}

const orgOf = ({ orgId, orgName }: AdminPayment) => (
  <a class="org-link" href={`/app/ops/orgs/${orgId}?part=money`} dir="auto">
    {orgName}
  </a>
)

function statusOf({ status, mode }: AdminPayment) {
  const [words, look] = PAYMENT_TEXTS[status]
  return (
    <>
      <span class={look}>{t(words)}</span>
      {mode === 'mock' && <span class="chip">{t('test mode')}</span>}
    </>
  )
}
