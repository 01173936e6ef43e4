// Plan and invoices: what became of a payment, the plan, the cards that pay for it, and every invoice.
import { api } from '../api.ts'
import { usePages } from '../app/pages.ts'
import { place } from '../app/place.ts'
import { type Resource, useResource } from '../app/resource.ts'
import { Sheet } from '../app/sheet.tsx'
import { type Me, recheck, session } from '../identity/session.ts'
import { Payment, type Purpose } from '../wallet/payment.tsx'
import { verify } from '../wallet/watch.ts'
import { Cards } from './cards.tsx'
import { Choose } from './choose.tsx'
import { Invoices } from './invoices.tsx'
import { billWordsOf } from './payment-words.ts'
import { YourPlan } from './plan.tsx'
import { mayBegin } from './plan-words.ts'
import type { Invoice, Subject } from './types.ts'

export default function Billing() {
  const { value } = session
  // Another organisation has another plan: nothing of the last one may stay on the screen.
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const { currency } = me
  const reference = place.value.query.get('reference')
  const summary = useResource('billing.summary', () => api.billing.summary())
  const cards = useResource('cards', () => api.paymentMethods.list())
  const invoices = usePages('invoices', 'invoices', (cursor) => api.invoices.list({ limit: 10, ...cursor }))
  const known = summary.current.value

  async function refresh(): Promise<void> {
    await Promise.all([summary.load(), cards.load(), invoices.load(), recheck()])
  }

  return (
    <Sheet title="Plan and invoices" wide>
      {reference !== null && (
        <Payment
          key={reference}
          reference={reference}
          currency={currency}
          purpose={purposeOf(reference, invoices)}
          onNews={() => void refresh()}
        />
      )}
      <YourPlan from={summary} currency={currency} />
      {known.state === 'ready' && mayBegin(known.value) && <Choose me={me} onBegun={refresh} />}
      {/* From top to bottom: what comes late pushes nothing away that is being read. */}
      {isThere(summary) && <Cards me={me} from={cards} />}
      {isThere(summary) && isThere(cards) && <Invoices pages={invoices} currency={currency} />}
    </Sheet>
  )
}

const isThere = <T,>({ current }: Resource<T>): boolean => current.value.state !== 'loading'

const purposeOf = (reference: string, invoices: Resource<Invoice[]>): Purpose => ({
  look: verify,
  wordsOf: (standing, amount) => billWordsOf(standing, amount, subjectOf(reference, invoices)),
  home: '/app/billing',
  instead: 'Back to your plan',
  back: 'Back to your plan',
})

function subjectOf(reference: string, { current }: Resource<Invoice[]>): Subject | undefined {
  const { value } = current
  return value.state === 'ready'
    ? value.value.find((each) => each.reference === reference)?.subject
    : undefined
}
