// One payment: request, provider status and staff actions.
import type { AdminPayment, AdminPaymentsCheckReply, AdminPaymentsGetReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useResource } from '../../../data/resource.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { msg, t, tn } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Copyable } from '../../../ui/base/copyable.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Facts } from '../../../ui/base/facts.tsx'
import { Page, Section } from '../../../ui/base/sheet.tsx'
import { moneyIn } from '../../../ui/money/currencies.ts'
import { disabledReasonFor } from '../orgs/org-texts.ts'
import { api } from '../shared/staff-api.ts'
import { Resolve } from './payment-resolve.tsx'
import { PAYMENT_TEXTS, refundableMinor } from './payment-texts.ts'
import { Refund } from './refund.tsx'
import { SourceRefunds } from './source-refund.tsx'

export default function Payment({ reference }: { reference: string }) {
  const read = useResource(`admin.payment ${reference}`, () => api.admin.payments.get(reference))
  const current = read.current.value
  return (
    <Page title={t('Payment')}>
      <p class="onward">
        <a href="/app/ops/payments">{t('All payments')}</a>
      </p>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={read.load} />}
      {current.state === 'loading' && <span class="blank org-place" aria-busy="true" />}
      {current.state === 'ready' && <PaymentDetails detail={current.value} reload={read.load} />}
    </Page>
  )
}

type Props = { detail: AdminPaymentsGetReply; reload: () => Promise<void> }

function PaymentDetails({ detail, reload }: Props) {
  const { payment, phone, events } = detail
  const [words, look] = PAYMENT_TEXTS[payment.status]
  const left = refundableMinor(payment)
  return (
    <>
      <p class="chips">
        <span class={look} data-testid="payment-status">
          {t(words)}
        </span>{' '}
        {payment.mode === 'mock' && <span class="chip">{t('test mode')}</span>}{' '}
        {payment.reversedAt && <span class="chip bad">{t('Charged back')}</span>}
      </p>
      {payment.reason && <p dir="auto">{payment.reason}</p>}
      <PaymentFacts payment={payment} phone={phone} />
      {payment.status === 'review' && <Resolve payment={payment} onResolved={reload} />}
      <Check reference={payment.reference} onChecked={reload} />
      <SourceRefunds detail={detail} reload={reload} />
      {left > 0n && (
        <Section title={t('Refund to the wallet')}>
          <Refund
            orgId={payment.orgId}
            orgName={payment.orgName}
            currency={payment.currency}
            disabledReason={disabledReasonFor('refund')}
            payment={{ reference: payment.reference, leftMinor: left }}
            onGiven={reload}
          />
        </Section>
      )}
      <Events events={events} />
    </>
  )
}

function PaymentFacts({ payment, phone }: { payment: AdminPayment; phone: string | null }) {
  const money = (minor: bigint) => moneyIn(minor, payment.currency)
  return (
    <>
      <Copyable text={payment.reference} label={t('the reference')} />
      <Facts
        lines={[
          [
            t('Organisation'),
            <a key="org" class="org-link" href={`/app/ops/orgs/${payment.orgId}?part=money`}>
              {payment.orgName}
            </a>,
          ],
          [t('Requested'), money(payment.amountMinor)],
          ...(payment.saidMinor === null
            ? []
            : ([[t('The provider says'), money(payment.saidMinor)]] as const)),
          [
            t('Credited'),
            <span key="captured" data-testid="captured">
              {money(payment.capturedMinor)}
            </span>,
          ],
          [t('Refunded'), money(payment.refundedMinor)],
          ...(payment.returnedMinor === 0n
            ? []
            : ([[t('Returned by the provider'), money(payment.returnedMinor)]] as const)),
          ...(payment.refundingMinor === 0n
            ? []
            : ([[t('Refund in progress'), money(payment.refundingMinor)]] as const)),
          ...(payment.disputedMinor === 0n
            ? []
            : ([[t('Disputed and frozen'), money(payment.disputedMinor)]] as const)),
          [
            t('Paid by'),
            `${payment.channel} · ${payment.rail}${payment.account ? ` · ${payment.account}` : ''}`,
          ],
          [t('Payer'), phone ? `${payment.email} · ${phone}` : payment.email],
          [t('Provider number'), payment.providerRef ?? '–'],
          [t('Started'), formatDateTime(payment.createdAt)],
          [t('Settled'), payment.settledAt ? formatDateTime(payment.settledAt) : '–'],
          [
            t('Status checks'),
            `${tn(payment.checks, '{n} time', '{n} times')}${payment.nextCheckAt ? ` · ${t('next {time}', { time: formatDateTime(payment.nextCheckAt) })}` : ''}`,
          ],
        ]}
      />
    </>
  )
}

const ANSWERS: Readonly<Record<AdminPaymentsCheckReply['answer'], string>> = {
  paid: msg('The provider says: paid.'),
  pending: msg('The provider says: not paid yet.'),
  failed: msg('The provider says: failed.'),
  reversed: msg('The provider says: charged back.'),
  unknown: msg('The provider gave no usable response.'),
}

function Check({ reference, onChecked }: { reference: string; onChecked: () => Promise<void> }) {
  const answer = useSignal<AdminPaymentsCheckReply['answer'] | null>(null)
  const disabledReason = disabledReasonFor('payments')
  const { run, busy, failure } = useAction(async () => {
    const checked = await api.admin.payments.check(reference)
    answer.value = checked.answer
    announce(t(ANSWERS[checked.answer]))
    await onChecked()
  })
  return (
    <Section title={t('Provider status')}>
      {answer.value && <p data-testid="provider-answer">{t(ANSWERS[answer.value])}</p>}
      {failure.value && <ErrorNotice failure={failure.value} retry={run} />}
      <div class="choices">
        <button
          type="button"
          disabled={disabledReason !== null}
          aria-disabled={busy.value}
          onClick={() => void run()}
        >
          {busy.value ? t('Checking …') : t('Check with provider')}
        </button>
      </div>
      {disabledReason !== null && <p class="help needs">{disabledReason}</p>}
    </Section>
  )
}

const Events = ({ events }: { events: AdminPaymentsGetReply['events'] }) => (
  <Section title={t('Provider messages')}>
    {events.length === 0 && <p class="help">{t('None.')}</p>}
    <ul class="rows">
      {events.map(({ id, kind, verdict, times, sourceIp, raw, receivedAt }) => (
        <li key={id}>
          <details class="entry">
            <summary>
              <span class="entry-name">
                <span class="row-name">
                  {kind} {verdict && <span class="chip">{verdict}</span>}
                </span>
                <span class="help">
                  {formatDateTime(receivedAt)} · <bdi dir="ltr">{sourceIp}</bdi>
                  {times > 1 && ` · ${tn(times, '{n} time', '{n} times')}`}
                </span>
              </span>
            </summary>
            <pre class="raw" dir="ltr">
              {raw}
            </pre>
          </details>
        </li>
      ))}
    </ul>
  </Section>
)
