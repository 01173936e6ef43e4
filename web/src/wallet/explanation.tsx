// Why an entry is what it is: what was promised, what was used, and the calculation between them.
import { api } from '../api.ts'
import { type Line, Receipt } from '../app/receipt.tsx'
import { Refusal } from '../app/refusal.tsx'
import { useResource } from '../app/resource.ts'
import { moment } from '../app/words.ts'
import { type Currency, formatMoney } from '../money.ts'

type Metered = {
  lane: string
  model: string
  tokens: number
  billedTokens: number
  promptTokens: number | null
  outputTokens: number | null
  priceKoboPer1m: number
  rateCard: string
  rate: { numerator: string; denominator: string }
  steps: string[]
  recomputed: boolean
}
export type Explanation = {
  explanation: {
    summary: string
    metered: Metered | null
    hold: { reservedMinor: bigint; includedMinor: bigint; reservedAt: string } | null
    settlement: {
      chargedMinor: bigint
      fromIncludedMinor: bigint
      fromWalletMinor: bigint
      releasedMinor: bigint
      at: string
    } | null
    payment: { reference: string; rail: string | null; at: string } | null
  }
  chain: { seq: number; hash: string }
}

const NAIRA: Currency = { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' }
const HASH_SHOWN = 12

export function Explained({ id, currency }: { id: string; currency: Currency }) {
  const read = useResource(`wallet.explain ${id}`, () => api.wallet.explain(id))
  const current = read.current.value
  if (current.state === 'failed') return <Refusal failure={current.failure} retry={read.load} />
  if (current.state === 'loading') return <span class="blank explanation-place" aria-busy="true" />
  const { explanation, chain } = current.value
  const { summary, metered } = explanation
  return (
    <div class="explanation">
      <p>{summary}</p>
      <Receipt lines={[...linesOf(explanation, currency), ['Place in the chain', placeOf(chain)]]} />
      {metered && <Calculation metered={metered} />}
    </div>
  )
}

const placeOf = ({ seq, hash }: Explanation['chain']) => (
  <>
    {seq} · <code dir="ltr">{hash.slice(0, HASH_SHOWN)}…</code>
  </>
)

function linesOf({ metered, hold, settlement, payment }: Explanation['explanation'], currency: Currency) {
  const amount = (minor: bigint) => formatMoney(minor, currency)
  const lines: (Line | false | null)[] = [
    metered && ['Model', `${metered.model} (${metered.lane} lane)`],
    metered && ['Tokens', tokensOf(metered)],
    metered && ['Price', `${formatMoney(BigInt(metered.priceKoboPer1m), NAIRA)} per million tokens`],
    metered !== null && currency.code !== 'NGN' && ['Rate', rateOf(metered, currency)],
    hold && ['Reserved before', `${amount(hold.reservedMinor)}, ${moment(hold.reservedAt)}`],
    settlement && ['Charged', `${amount(settlement.chargedMinor)}, ${moment(settlement.at)}`],
    settlement !== null &&
      settlement.fromIncludedMinor > 0n && ['Paid by your plan', amount(settlement.fromIncludedMinor)],
    settlement && ['Paid from the wallet', amount(settlement.fromWalletMinor)],
    settlement && ['Given back unused', amount(settlement.releasedMinor)],
    payment && ['Payment', <code dir="ltr">{payment.reference}</code>],
    payment && ['Came by', payment.rail ?? 'not by a payment provider'],
  ]
  return lines.filter((line): line is Line => Boolean(line))
}

function tokensOf({ tokens, billedTokens, promptTokens, outputTokens }: Metered): string {
  const count = (value: number) => value.toLocaleString()
  const parts =
    promptTokens !== null && outputTokens !== null
      ? `: ${count(promptTokens)} read, ${count(outputTokens)} written`
      : ''
  return billedTokens === tokens
    ? `${count(tokens)}${parts}`
    : `${count(tokens)}${parts}; ${count(billedTokens)} billed, as no more was reserved`
}

const rateOf = ({ rate, rateCard }: Metered, { minorName }: Currency): string =>
  `${rate.numerator}/${rate.denominator} ${minorName} for one kobo (${rateCard})`

const Calculation = ({ metered: { steps, recomputed } }: { metered: Metered }) => (
  <>
    <p class="small-title">The calculation</p>
    <ol class="calculation">
      {steps.map((step) => (
        <li key={step}>
          <bdi dir="ltr">{step}</bdi>
        </li>
      ))}
    </ol>
    <p class="help">
      {recomputed ? (
        <span class="ok">Done anew just now: it gives what was charged.</span>
      ) : (
        <span class="bad">Done anew just now, it does not give what was charged. Please tell us.</span>
      )}
    </p>
  </>
)
