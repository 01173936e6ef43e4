// The signed-in person: what is left, and where they are.
import { Receipt } from '../app/receipt.tsx'
import { orgNameFor } from '../identity/org-name.ts'
import { ROLES } from '../identity/roles.ts'
import type { Me } from '../identity/session.ts'
import { SignOut } from '../identity/sign-out.tsx'
import { currencyName, formatMoney } from '../money.ts'

/** Null while we ask: the geometry is the same, so that nothing moves when the answer comes. */
export function Account({ me }: { me: Me | null }) {
  return (
    <section class="sheet account" aria-labelledby="screen-title" aria-busy={me === null}>
      <h1 id="screen-title" tabIndex={-1} class="amount-title">
        <span class="small-title">Available</span>
        <bdi dir="ltr" class={me ? 'amount' : 'blank amount'} data-testid="balance">
          {me && formatMoney(me.availableMinor, me.currency)}
        </bdi>
      </h1>
      <p class="help">{me ? <Held me={me} /> : <span class="blank line" />}</p>
      <Receipt
        lines={[
          ['Organisation', me && orgNameFor(me, me.orgName)],
          ['Your role', me && (ROLES[me.role] ?? me.role)],
          ['Plan', me && (me.plan ?? 'Pay as you go')],
          ['Currency', me && `${currencyName(me.currency)} (${me.currency.code})`],
          // Last, because a long address takes a second line when it arrives.
          ['Signed in as', me?.email],
        ]}
      />
      <SignOut />
    </section>
  )
}

function Held({ me }: { me: Me }) {
  if (me.heldMinor === 0n) return <>Nothing is set aside for work in progress.</>
  return (
    <>
      <bdi dir="ltr">{formatMoney(me.heldMinor, me.currency)}</bdi> is set aside for work in progress.
    </>
  )
}
