// The signed-in person: what is left, and where they are.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ApiFailure } from '../api.ts'
import { Refusal } from '../app/refusal.tsx'
import { asFailure } from '../app/resource.ts'
import { currencyName, formatMoney } from '../money.ts'
import { type Me, signOut } from './session.ts'

export function Account({ me }: { me: Me }) {
  const title = useRef<HTMLHeadingElement>(null)
  // The form that had the focus is gone; readers continue where the page now begins.
  useEffect(() => title.current?.focus(), [])
  return (
    <section class="sheet account" aria-labelledby="account-title">
      <h1 id="account-title" ref={title} tabIndex={-1} class="amount-title">
        <span class="small-title">Available</span>
        <bdi dir="ltr" class="amount" data-testid="balance">
          {formatMoney(me.availableMinor, me.currency)}
        </bdi>
      </h1>
      <p class="help">
        {me.heldMinor > 0n ? (
          <>
            <bdi dir="ltr">{formatMoney(me.heldMinor, me.currency)}</bdi> is set aside for work in progress.
          </>
        ) : (
          'Nothing is set aside for work in progress.'
        )}
      </p>
      <dl class="receipt">
        <Line name="Signed in as" value={me.email} />
        <Line name="Organisation" value={me.orgName} />
        <Line name="Your role" value={me.role} />
        <Line name="Plan" value={me.plan ?? 'Pay as you go'} />
        <Line name="Currency" value={`${currencyName(me.currency)} (${me.currency.code})`} />
      </dl>
      <SignOut />
    </section>
  )
}

/** The same geometry, before the answer is there. */
export function AccountPlaceholder() {
  return (
    <section class="sheet account" aria-busy="true" aria-label="Your account is loading">
      <p class="amount-title" aria-hidden="true">
        <span class="small-title">Available</span>
        <span class="blank amount" />
      </p>
      <p class="help" aria-hidden="true">
        <span class="blank line" />
      </p>
      <dl class="receipt" aria-hidden="true">
        {['Signed in as', 'Organisation', 'Your role', 'Plan', 'Currency'].map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span class="blank line" />
            </dd>
          </div>
        ))}
      </dl>
      <span class="blank control" aria-hidden="true" />
    </section>
  )
}

const Line = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <bdi>{value}</bdi>
    </dd>
  </div>
)

function SignOut() {
  const busy = useSignal(false)
  const failure = useSignal<ApiFailure | null>(null)

  async function leave() {
    if (busy.value) return
    busy.value = true
    failure.value = null
    try {
      await signOut()
    } catch (error) {
      failure.value = asFailure(error)
    } finally {
      busy.value = false
    }
  }

  return (
    <>
      {failure.value && <Refusal failure={failure.value} />}
      <button type="button" aria-disabled={busy.value} onClick={leave}>
        {busy.value ? 'Signing out …' : 'Sign out'}
      </button>
    </>
  )
}
