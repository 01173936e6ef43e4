// One payment: instructions, status and next steps.
import { useEffect, useRef } from 'preact/hooks'
import { isOnline } from '../../../data/network.ts'
import { type Currency, formatMoney, plainAmount } from '../../../i18n/money.ts'
import { msg, t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { announce } from '../../../ui/base/announcer.tsx'
import { Copyable } from '../../../ui/base/copyable.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { useWakeLock } from '../../../ui/layout/wake-lock.ts'
import type { PaymentStatus } from '../top-up/top-up-types.ts'
import { PayAgain } from './pay-again.tsx'
import { PayerInstructions } from './payer-instructions.tsx'
import { PaymentSteps } from './payment-steps.tsx'
import { canCheckAgain, STATUS_CHIPS, STATUS_TEXTS, type StatusTexts, statusTexts } from './payment-texts.ts'
import { ReceiptLink } from './receipt-link.tsx'
import { forgetInstructions, useStoredInstructions } from './stored-instructions.ts'
import { TestModeNotice } from './test-mode-notice.tsx'
import { type PaymentWatch, type Poll, pollTopup, usePaymentWatch } from './watch-payment.ts'

/** The purpose of a payment determines its polling, texts and screen. */
export type Purpose = {
  look: Poll
  wordsOf: (payment: PaymentStatus, amount: string) => StatusTexts
  home: string
  /** The link back while it is pending or after it failed. */
  instead: string
  back: string
  /** Whether it can be started again from here. */
  isTopup?: boolean
}

export const TOPUP: Purpose = {
  look: pollTopup,
  wordsOf: statusTexts,
  home: '/app/wallet',
  instead: msg('Change method'),
  back: msg('Back to the wallet'),
  isTopup: true,
}

type Props = {
  reference: string
  currency: Currency
  purpose: Purpose
  onNews: (payment: PaymentStatus) => void
}

export function Payment({ reference, currency, purpose, onNews }: Props) {
  const watched = usePaymentWatch(reference, purpose.look, (payment) => {
    announce(`${purpose.wordsOf(payment, formatMoney(payment.amountMinor, currency)).title}.`)
    onNews(payment)
  })
  const current = watched.payment.value
  if (current.state === 'failed')
    return (
      <section class="payment" aria-label={t('Your payment')}>
        {current.failure.status === 404 ? (
          <UnknownPayment reference={reference} purpose={purpose} />
        ) : (
          <ErrorNotice failure={current.failure} retry={watched.retry} />
        )}
      </section>
    )
  if (current.state === 'loading')
    return (
      <section class="payment" aria-label={t('Your payment')} aria-busy="true">
        <h2>{t('Checking your payment …')}</h2>
        <span class="blank line" />
      </section>
    )
  return <KnownPayment payment={current.value} watched={watched} currency={currency} purpose={purpose} />
}

type KnownProps = { payment: PaymentStatus; watched: PaymentWatch; currency: Currency; purpose: Purpose }

function KnownPayment({ payment, watched: { check, gaveUp }, currency, purpose }: KnownProps) {
  const { reference, status, amountMinor, mode } = payment
  const { title, text } = purpose.wordsOf(payment, formatMoney(amountMinor, currency))
  const heading = useRef<HTMLHeadingElement>(null)
  const instructions = useStoredInstructions(reference)
  const isPending = status === 'pending'
  useWakeLock(isPending)
  // Move the focus to the heading when the status changes.
  useEffect(() => heading.current?.focus(), [reference, status])
  useEffect(() => {
    if (status === 'settled') forgetInstructions(reference)
  }, [reference, status])
  return (
    <section class={`payment ${status}`} aria-label={t('Your payment')}>
      <div class="payment-head" data-testid="topup-status" data-status={status}>
        <h2 id="payment-title" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <span class={`chip ${STATUS_CHIPS[status]}`}>{t(STATUS_TEXTS[status])}</span>
      </div>
      <p>{text}</p>
      {mode === 'mock' && <TestModeNotice />}
      {isPending && <PayerInstructions instructions={instructions} payment={payment} onDecided={check.run} />}
      <PaymentSteps payment={payment} instructions={instructions} />
      {check.failure.value && <ErrorNotice failure={check.failure.value} />}
      {isPending && !isOnline.value && (
        <p class="help">{t('You are offline. This page updates when you are back online.')}</p>
      )}
      {isPending && gaveUp.value && (
        <p class="help">{t('This page no longer updates by itself. Check again to see the status.')}</p>
      )}
      <div class="choices">
        {purpose.isTopup && !isPending && <PayAgain payment={payment} instructions={instructions} />}
        {canCheckAgain(status) && (
          <button
            type="button"
            aria-disabled={check.busy.value || !isOnline.value}
            onClick={() => void check.run()}
          >
            {check.busy.value ? t('Checking …') : t('I have paid, check again')}
          </button>
        )}
        {purpose.isTopup && isPending && <PayAgain payment={payment} instructions={instructions} />}
        {purpose.isTopup && status === 'settled' && <ReceiptLink reference={reference} />}
        <Onward payment={payment} currency={currency} purpose={purpose} />
      </div>
      {isPending && (
        <p class="help">
          {mode === 'mock'
            ? t('In test mode, checking approves the payment.')
            : t('You can close this page.')}
        </p>
      )}
      <Reference reference={reference} />
    </section>
  )
}

/** Another payment method starts with the same amount. */
function Onward({ payment: { status, amountMinor }, currency, purpose }: Omit<KnownProps, 'watched'>) {
  const { home, instead, back, isTopup } = purpose
  if (status === 'settled')
    return (
      <a class="button" href={home}>
        {t('Done')}
      </a>
    )
  const isOpen = status !== 'review'
  return (
    <>
      {isTopup && isOpen && (
        <a class="button" href={`${home}/top-up?amount=${plainAmount(amountMinor, currency)}#top-up`}>
          {t(instead)}
        </a>
      )}
      {!(isTopup && status === 'pending') && (
        <a class="button" href={home}>
          {t(status === 'pending' ? instead : back)}
        </a>
      )}
    </>
  )
}

const Reference = ({ reference }: { reference: string }) => (
  <details class="reference">
    <summary>{t('Payment reference')}</summary>
    <Copyable text={reference} label={t('the reference')} />
  </details>
)

const UnknownPayment = ({ reference, purpose }: { reference: string; purpose: Purpose }) => (
  <>
    <h2>{t('Payment not found')}</h2>
    <p>
      <Trans
        text="This organisation has no payment {reference}. It may belong to {another}."
        reference={<code dir="ltr">{reference}</code>}
        another={<a href="/app/organisations">{t('another organisation')}</a>}
      />
    </p>
    <div class="choices">
      <a class="button" href={purpose.home}>
        {t(purpose.back)}
      </a>
    </div>
  </>
)
