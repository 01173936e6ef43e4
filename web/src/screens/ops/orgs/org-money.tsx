// The money of one organisation: credits, payments and refunds.
import { api } from '../../../data/api.ts'
import { usePages } from '../../../data/paged-resource.ts'
import { t } from '../../../i18n/t.ts'
import { Receipt } from '../../../ui/base/facts.tsx'
import { Paged } from '../../../ui/base/paged-list.tsx'
import { Part } from '../../../ui/base/sheet.tsx'
import { moneyIn } from '../../../ui/money/currencies.ts'
import { PaymentRow } from '../payments/payment-row.tsx'
import { GiveBack } from '../payments/refund.tsx'
import { Comp } from './org-comp.tsx'
import type { OrgPart } from './org-texts.ts'
import { barredFrom } from './org-texts.ts'

export function OrgMoney({ detail, reload }: OrgPart) {
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
      <Receipt
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
      <Part title={t('Refund or adjust')}>
        <GiveBack
          orgId={org.orgId}
          orgName={org.name}
          currency={wallet.currency}
          barred={barredFrom('refund', members)}
          onGiven={refresh}
        />
      </Part>
      <Comp orgId={org.orgId} orgName={org.name} barred={barredFrom('comps', members)} onChanged={reload} />
      <Part title={t('Payments')}>
        <Paged pages={payments} empty={t('It has paid nothing yet.')} more={t('Older payments')}>
          {(payment) => <PaymentRow payment={payment} withOrg={false} />}
        </Paged>
      </Part>
    </>
  )
}
