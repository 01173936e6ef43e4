// The money of one organisation: what it was given, what it paid, and giving back.
import { api } from '../api.ts'
import { Paged } from '../app/paged.tsx'
import { usePages } from '../app/pages.ts'
import { Receipt } from '../app/receipt.tsx'
import { Part } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'
import { moneyIn } from '../kit/currencies.ts'
import type { OrgPart } from './org.tsx'
import { Comp } from './org-comp.tsx'
import { barredFrom } from './org-words.ts'
import { PaymentRow } from './payment-row.tsx'
import { GiveBack } from './refund.tsx'

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
