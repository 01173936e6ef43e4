// The signed-in person: what is left, and where they are.
import { Receipt } from '../app/receipt.tsx'
import { currencyName, formatMoney } from '../money.ts'
import type { Me } from './session.ts'
import { SignOut } from './sign-out.tsx'

const ROLES: Record<string, string> = { owner: 'Owner', admin: 'Administrator', member: 'Member' }

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
          ['Signed in as', me?.email],
          ['Organisation', me && organisation(me)],
          ['Your role', me && (ROLES[me.role] ?? me.role)],
          ['Plan', me && (me.plan ?? 'Pay as you go')],
          ['Currency', me && `${currencyName(me.currency)} (${me.currency.code})`],
        ]}
      />
      <SignOut />
    </section>
  )
}

/** A person's own organisation carries their address as its name until they give it another. */
const organisation = ({ orgName, email }: Me): string => (orgName === email ? 'Personal' : orgName)

function Held({ me }: { me: Me }) {
  if (me.heldMinor === 0n) return <>Nothing is set aside for work in progress.</>
  return (
    <>
      <bdi dir="ltr">{formatMoney(me.heldMinor, me.currency)}</bdi> is set aside for work in progress.
    </>
  )
}
