// The tax that an amount contains. Prices include it, so it is taken out of them and never added.
import { assert } from '../../kernel/assert.ts'
import { type Currency, money, scaleHalfUp } from '../../kernel/money.ts'
import { TAX_RATES, type TaxPart } from './tax-rates.ts'

export type Tax = TaxPart & { readonly amountMinor: bigint }
export type TaxSplit = {
  readonly subtotalMinor: bigint
  readonly taxMinor: bigint
  readonly taxes: readonly Tax[]
}

/** What counts in a country on a day; nothing where we know of no tax. */
export function taxPartsOf(country: string | null, at: Date): readonly TaxPart[] {
  const day = at.toISOString().slice(0, 10)
  const inForce = TAX_RATES.filter((rate) => rate.country === country && rate.from <= day)
  return inForce.reduce((newest, rate) => (rate.from > newest.from ? rate : newest), NONE).parts
}

/** Takes the tax out of an amount: half up as a whole, then shared among its parts so that they sum to it. */
export function splitTax(totalMinor: bigint, currency: Currency, parts: readonly TaxPart[]): TaxSplit {
  assert(totalMinor >= 0n, 'nobody is invoiced less than nothing')
  const taxMinor = taxIn(totalMinor, currency, parts)
  return { subtotalMinor: totalMinor - taxMinor, taxMinor, taxes: shareTax(taxMinor, currency, parts) }
}

/**
 * The tax in a part of an amount, of which `beforeMinor` was credited earlier. Counted from the beginning, so that all
 * credits together give back exactly the tax of the whole.
 */
export function splitCredit(
  beforeMinor: bigint,
  amountMinor: bigint,
  currency: Currency,
  parts: readonly TaxPart[],
): TaxSplit {
  const taxMinor = taxIn(beforeMinor + amountMinor, currency, parts) - taxIn(beforeMinor, currency, parts)
  return { subtotalMinor: amountMinor - taxMinor, taxMinor, taxes: shareTax(taxMinor, currency, parts) }
}

const NONE = { from: '', parts: [] as readonly TaxPart[] }
const WHOLE_BPS = 10_000n

const rateOf = (parts: readonly TaxPart[]): bigint =>
  parts.reduce((sum, { rateBps }) => sum + BigInt(rateBps), 0n)

function taxIn(totalMinor: bigint, currency: Currency, parts: readonly TaxPart[]): bigint {
  const rate = rateOf(parts)
  return scaleHalfUp(money(totalMinor, currency), rate, WHOLE_BPS + rate).minor
}

/** Each part ends where its share of the running total does: no part is negative and nothing is left over. */
function shareTax(taxMinor: bigint, currency: Currency, parts: readonly TaxPart[]): Tax[] {
  const rate = rateOf(parts)
  let rateSoFar = 0n
  let sharedMinor = 0n
  return parts.map(({ name, rateBps }) => {
    rateSoFar += BigInt(rateBps)
    const untilMinor = scaleHalfUp(money(taxMinor, currency), rateSoFar, rate).minor
    const amountMinor = untilMinor - sharedMinor
    sharedMinor = untilMinor
    return { name, rateBps, amountMinor }
  })
}
