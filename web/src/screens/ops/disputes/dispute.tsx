// One dispute: deadline, evidence from our records, and the two answers.
import type { AdminDisputesGetReply, DisputeEvidence, PaymentDispute } from '@cowrie/sdk'
import { sendPaidRequest } from '../../../data/paid-request.ts'
import { useResource } from '../../../data/resource.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t, tn } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Facts } from '../../../ui/base/facts.tsx'
import { Page, Section } from '../../../ui/base/sheet.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { LongField } from '../../../ui/input/long-field.tsx'
import { moneyIn } from '../../../ui/money/currencies.ts'
import { disabledReasonFor } from '../orgs/org-texts.ts'
import { api } from '../shared/staff-api.ts'
import { DISPUTE_TEXTS, disputeStatusOf } from './dispute-texts.ts'

export default function Dispute({ id }: { id: string }) {
  const read = useResource(`admin.dispute ${id}`, () => api.admin.disputes.get(id))
  const current = read.current.value
  return (
    <Page title={t('Dispute')}>
      <p class="onward">
        <a href="/app/ops/disputes">{t('All disputes')}</a>
      </p>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={read.load} />}
      {current.state === 'loading' && <span class="blank org-place" aria-busy="true" />}
      {current.state === 'ready' && <DisputeDetails shown={current.value} reload={read.load} />}
    </Page>
  )
}

type Props = { shown: AdminDisputesGetReply; reload: () => Promise<void> }

function DisputeDetails({ shown, reload }: Props) {
  const { dispute, evidence, answerObstacle } = shown
  const { reference, orgId, orgName, amountMinor, currency, dueAt, openedAt, message } = dispute
  const [words, look] = DISPUTE_TEXTS[disputeStatusOf(dispute)]
  const isOpen = dispute.state === 'frozen' && dispute.answeredAt === null
  return (
    <>
      <p class="chips">
        <span class={look} data-testid="dispute-status">
          {t(words)}
        </span>
      </p>
      <Facts
        lines={[
          [t('Deadline'), dueAt === null ? t('None named') : formatDateTime(dueAt)],
          [t('Disputed and frozen'), moneyIn(amountMinor, currency)],
          [
            t('Organisation'),
            <a key="org" class="org-link" href={`/app/ops/orgs/${orgId}?part=money`}>
              {orgName}
            </a>,
          ],
          [
            t('Payment'),
            <a key="payment" class="org-link" href={`/app/ops/payments/${reference}`}>
              {reference}
            </a>,
          ],
          [t('Opened'), formatDateTime(openedAt)],
          ...(message === null ? [] : ([[t('Our answer'), message]] as const)),
        ]}
      />
      {isOpen && (
        <Answers
          dispute={dispute}
          serviceDetails={evidence.serviceDetails}
          disabledReason={answerObstacle ?? disabledReasonFor('payments')}
          reload={reload}
        />
      )}
      <Evidence evidence={evidence} currency={currency} />
    </>
  )
}

type AnswersProps = {
  dispute: PaymentDispute
  serviceDetails: string
  disabledReason: string | null
  reload: () => Promise<void>
}

function Answers({ dispute, serviceDetails, disabledReason, reload }: AnswersProps) {
  const { id, orgName, amountMinor, currency } = dispute
  const finish = async (words: string) => {
    announce(words)
    await reload()
    document.getElementById('screen-title')?.focus()
  }
  return (
    <Section title={t('Answer')}>
      <div class="choices">
        <DialogButton
          label={t('Contest')}
          name={id}
          submit={t('Send the evidence')}
          question={t('Send this evidence to the provider?')}
          look="primary"
          fields={['message', 'serviceDetails', 'customerPhone']}
          disabledReason={disabledReason}
          act={async (form) => {
            const customerPhone = textOf(form, 'customerPhone').trim()
            const body = {
              message: textOf(form, 'message').trim(),
              serviceDetails: textOf(form, 'serviceDetails').trim(),
              ...(customerPhone && { customerPhone }),
            }
            await sendPaidRequest(`contest ${id}`, Object.values(body).join(' '), (once) =>
              api.admin.disputes.contest(id, body, once),
            )
            await finish(t('The evidence is sent.'))
          }}
        >
          {(failure) => (
            <>
              <p>{t('The bank decides. The money stays frozen until then.')}</p>
              <LongField
                name="message"
                label={t('Message to the provider')}
                failure={failure}
                rows={2}
                required
                maxLength={1000}
              />
              <LongField
                name="serviceDetails"
                label={t('Evidence')}
                value={serviceDetails}
                failure={failure}
                rows={10}
                required
                maxLength={5000}
              />
              <Field
                name="customerPhone"
                label={t('Phone of the customer, if known')}
                failure={failure}
                dir="ltr"
                inputMode="tel"
                autocomplete="off"
                maxLength={30}
              />
            </>
          )}
        </DialogButton>
        <DialogButton
          label={t('Accept')}
          name={id}
          submit={t('Return {amount}', { amount: moneyIn(amountMinor, currency) })}
          question={t('Return the disputed amount of {name} to the payer?', { name: orgName })}
          look="grave"
          fields={['message']}
          disabledReason={disabledReason}
          act={async (form) => {
            const body = { message: textOf(form, 'message').trim() }
            await sendPaidRequest(`accept ${id}`, body.message, (once) =>
              api.admin.disputes.accept(id, body, once),
            )
            await finish(t('The dispute is accepted.'))
          }}
        >
          {(failure) => (
            <>
              <p>{t('The frozen money is debited when the provider has refunded it. This is final.')}</p>
              <LongField
                name="message"
                label={t('Message to the provider')}
                failure={failure}
                rows={2}
                required
                maxLength={1000}
              />
            </>
          )}
        </DialogButton>
      </div>
      {disabledReason !== null && <p class="help needs">{disabledReason}</p>}
    </Section>
  )
}

function Evidence({ evidence, currency }: { evidence: DisputeEvidence; currency: string }) {
  const { customer, payment, invoice, signIns, usage, balanceMinor } = evidence
  return (
    <Section title={t('Evidence from our records')}>
      <Facts
        lines={[
          [t('Payer'), customer.name ? `${customer.name} · ${customer.email}` : customer.email],
          [
            t('Credited'),
            `${moneyIn(payment.capturedMinor, currency)} · ${formatDateTime(payment.settledAt)}`,
          ],
          [
            t('Receipt'),
            invoice ? (
              <a key="receipt" class="org-link" href={invoice.receiptUrl}>
                {invoice.number}
              </a>
            ) : (
              '–'
            ),
          ],
          [t('Balance now'), moneyIn(balanceMinor, currency)],
        ]}
      />
      <h3>{t('Used after the payment')}</h3>
      {usage.length === 0 && <p class="help">{t('Nothing.')}</p>}
      <ul class="rows">
        {usage.map(({ source, charges, amountMinor, firstAt, lastAt }) => (
          <li key={source}>
            <bdi>{source}</bdi> · {tn(charges, '{n} charge', '{n} charges')} ·{' '}
            <bdi dir="ltr">{moneyIn(amountMinor, currency)}</bdi> · {formatDateTime(firstAt)} –{' '}
            {formatDateTime(lastAt)}
          </li>
        ))}
      </ul>
      <h3>{t('Sign-ins after the payment')}</h3>
      {signIns.length === 0 && <p class="help">{t('None.')}</p>}
      <ul class="rows">
        {signIns.map(({ at, ip }) => (
          <li key={`${at} ${ip}`}>
            {formatDateTime(at)} · <bdi dir="ltr">{ip ?? '–'}</bdi>
          </li>
        ))}
      </ul>
    </Section>
  )
}
