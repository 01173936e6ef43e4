// One payment: what the payer has to do, how it stands, and what to do next.
import { useEffect, useRef } from 'preact/hooks'
import { announce } from '../app/announcer.tsx'
import { Copyable } from '../app/copy.tsx'
import { place } from '../app/place.ts'
import { Refusal } from '../app/refusal.tsx'
import { type Currency, formatMoney } from '../money.ts'
import { HandOff } from './hand-off.tsx'
import { mayAskAgain, type Words, wordsOf } from './payment-words.ts'
import { PlayMoney } from './play-money.tsx'
import type { Standing } from './top-up-types.ts'
import { type LookAt, lookAtTopup, useWatch, type Watched } from './watch.ts'

/** What a payment is for: how one looks after it, what is said of it, and where its screen is. */
export type Purpose = {
  look: LookAt
  wordsOf: (standing: Standing, amount: string) => Words
  home: string
  /** The way home while it waits, and when nothing came of it. */
  instead: string
  back: string
}

export const TOPUP: Purpose = {
  look: lookAtTopup,
  wordsOf,
  home: '/app/wallet',
  instead: 'Pay another way',
  back: 'Back to the wallet',
}

type Props = {
  reference: string
  currency: Currency
  purpose: Purpose
  onNews: (standing: Standing) => void
}

export function Payment({ reference, currency, purpose, onNews }: Props) {
  const watched = useWatch(reference, purpose.look, (standing) => {
    announce(`${purpose.wordsOf(standing, formatMoney(standing.amountMinor, currency)).title}.`)
    onNews(standing)
  })
  const current = watched.standing.value
  if (current.state === 'failed')
    return (
      <section class="payment" aria-label="Your payment">
        {current.failure.status === 404 ? <Unknown reference={reference} purpose={purpose} /> : null}
        {current.failure.status !== 404 && <Refusal failure={current.failure} retry={watched.retry} />}
      </section>
    )
  if (current.state === 'loading')
    return (
      <section class="payment" aria-label="Your payment" aria-busy="true">
        <h2>Asking about your payment …</h2>
        <span class="blank line" />
      </section>
    )
  return <Known standing={current.value} watched={watched} currency={currency} purpose={purpose} />
}

function Known({
  standing,
  watched: { check, gaveUp },
  currency,
  purpose,
}: {
  standing: Standing
  watched: Watched
  currency: Currency
  purpose: Purpose
}) {
  const { reference, status, amountMinor, mode } = standing
  const { title, text } = purpose.wordsOf(standing, formatMoney(amountMinor, currency))
  const heading = useRef<HTMLHeadingElement>(null)
  // Whoever comes here, or hears news, begins to read with the news.
  useEffect(() => heading.current?.focus(), [reference, status])
  return (
    <section class={`payment ${status}`} aria-label="Your payment">
      <h2 id="payment-title" ref={heading} tabIndex={-1} data-testid="topup-status" data-status={status}>
        {title}
      </h2>
      <p>{text}</p>
      {mode === 'mock' && <PlayMoney />}
      {status === 'pending' && <HandOff kept={place.value.kept} standing={standing} onDecided={check.run} />}
      {check.failure.value && <Refusal failure={check.failure.value} />}
      {status === 'pending' && gaveUp.value && (
        <p class="help">This page has stopped asking by itself. We go on watching; press to ask now.</p>
      )}
      <div class="choices">
        {mayAskAgain(status) && (
          <button type="button" aria-disabled={check.busy.value} onClick={() => void check.run()}>
            {check.busy.value ? 'Checking …' : 'I have paid, check again'}
          </button>
        )}
        <a class="button" href={purpose.home}>
          {status === 'settled' ? 'Done' : status === 'pending' ? purpose.instead : purpose.back}
        </a>
      </div>
      {status === 'pending' && mode === 'mock' && (
        <p class="help">Checking approves play money that nobody has decided on.</p>
      )}
      <Reference reference={reference} />
    </section>
  )
}

const Reference = ({ reference }: { reference: string }) => (
  <details class="reference">
    <summary>Reference of this payment</summary>
    <Copyable text={reference} label="the reference" />
  </details>
)

const Unknown = ({ reference, purpose }: { reference: string; purpose: Purpose }) => (
  <>
    <h2>We do not know this payment</h2>
    <p>
      This organisation has no payment <code dir="ltr">{reference}</code>. If you belong to several, it may
      have been made in <a href="/app/organisations">another one</a>.
    </p>
    <div class="choices">
      <a class="button" href={purpose.home}>
        {purpose.back}
      </a>
    </div>
  </>
)
