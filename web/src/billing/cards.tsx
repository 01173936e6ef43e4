// The cards that pay for the plan.
import { api } from '../api.ts'
import { isPassing } from '../app/form.tsx'
import { sendIntent } from '../app/intent.ts'
import { leaveFor } from '../app/leave.ts'
import { Listing } from '../app/listing.tsx'
import { Refusal } from '../app/refusal.tsx'
import type { Resource } from '../app/resource.ts'
import { Part } from '../app/sheet.tsx'
import { useAction } from '../app/use-action.ts'
import type { Me } from '../identity/session.ts'
import type { Card } from './types.ts'

export type Stored = { paymentMethods: Card[] }

export const Cards = ({ me, from }: { me: Me; from: Resource<Stored> }) => (
  <Part title="Cards">
    <Listing from={from} items={({ paymentMethods }) => paymentMethods} empty="No card is stored.">
      {(card) => <Row card={card} />}
    </Listing>
    {me.role === 'owner' ? (
      <AddCard orgId={me.orgId} />
    ) : (
      <p class="help">An owner of your organisation can add one.</p>
    )}
  </Part>
)

const Row = ({ card: { brand, last4, expMonth, expYear, isDefault, expired } }: { card: Card }) => (
  <div class="row">
    <div>
      <p class="row-name">
        <bdi>{brand}</bdi> ending in <bdi dir="ltr">{last4}</bdi>{' '}
        {isDefault && <span class="ok">Default</span>}
      </p>
      <p class={expired ? 'help bad' : 'help'}>
        {expired ? 'Expired' : 'Expires'}{' '}
        <bdi dir="ltr">
          {String(expMonth).padStart(2, '0')}/{expYear}
        </bdi>
      </p>
    </div>
  </div>
)

/** The provider's page says how much it is before anything is paid. */
function AddCard({ orgId }: { orgId: string }) {
  const { run, busy, failure } = useAction(async () => {
    const { authorizationUrl } = await sendIntent('card', orgId, (once) => api.paymentMethods.add({}, once))
    await leaveFor(authorizationUrl)
  })
  const refused = failure.value
  return (
    <>
      <p class="help">A card is checked with a small payment, which is added to your wallet.</p>
      {refused && <Refusal failure={refused} retry={isPassing(refused) ? run : undefined} />}
      <div class="choices">
        <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
          {busy.value ? 'One moment …' : 'Add a card'}
        </button>
      </div>
    </>
  )
}
