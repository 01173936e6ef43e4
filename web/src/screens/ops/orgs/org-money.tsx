// The money of one organisation: credits, payments and refunds.

import { usePages } from '../../../data/paged-resource.ts'
import { t } from '../../../i18n/t.ts'
import { Facts } from '../../../ui/base/facts.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { moneyIn } from '../../../ui/money/currencies.ts'
import { PaymentTable } from '../payments/payment-table.tsx'
import { Refund } from '../payments/refund.tsx'
import { api } from '../shared/staff-api.ts'
import { CompPlan } from './org-comp.tsx'
import type { OrgTabProps } from './org-texts.ts'
import { disabledReasonFor } from './org-texts.ts'

export function OrgMoney({ detail, reload }: OrgTabProps) {
  const { org, wallet, members } = detail
  const payments = usePages('payments', `admin.payments ${org.orgId}`, async (cursor) => {
    const page = await api.admin.payments.list({ orgId: org.orgId, limit: 20, ...cursor })
    return { ...page, payments: page.payments.map((payment) => ({ ...payment, id: payment.reference })) }
  })
  async function refresh() {
    await Promise.all([reload(), payments.load()])
  }
  return (
    <>
      <Facts
        lines={[
          [
            t('Balance'),
            <span key="balance" data-testid="org-balance">
              {moneyIn(wallet.balanceMinor, wallet.currency)}
            </span>,
          ],
          [t('Available'), moneyIn(wallet.availableMinor, wallet.currency)],
        ]}
      />
      <Section title={t('Refund or adjust')}>
        <Refund
          orgId={org.orgId}
          orgName={org.name}
          currency={wallet.currency}
          disabledReason={disabledReasonFor('refund', members)}
          onGiven={refresh}
        />
      </Section>
      <CompPlan
        orgId={org.orgId}
        orgName={org.name}
        disabledReason={disabledReasonFor('comps', members)}
        onChanged={reload}
      />
      <Section title={t('Payments')}>
        <PaymentTable
          label={t('Payments')}
          pages={payments}
          empty={t('No payments yet.')}
          more={t('Older payments')}
          withOrg={false}
        />
      </Section>
    </>
  )
}
