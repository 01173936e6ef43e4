// Extracts the tax from an amount. Prices include tax, so it is never added to them.
import { assert } from '../../kernel/assert.ts'
import { type Currency, money, scaleHalfUp } from '../../kernel/money.ts'
import { TAX_RATES, type TaxPart } from './tax-rates.ts'

export type Tax = TaxPart & { readonly amountMinor: bigint }
export type TaxSplit = {
  readonly subtotalMinor: bigint
  readonly taxMinor: bigint
  readonly taxes: readonly Tax[]
}

/** The tax rates of a country on a day; empty if none are known. */
export function taxPartsOf(country: string | null, at: Date): readonly TaxPart[] {
  const day = at.toISOString().slice(0, 10)
  const inForce = TAX_RATES.filter((rate) => rate.country === country && rate.from <= day)
  return inForce.reduce((newest, rate) => (rate.from > newest.from ? rate : newest), NONE).parts
}

/** Extracts the tax: rounded half up as a whole, then divided among its parts without a remainder. */
export function splitTax(totalMinor: bigint, currency: Currency, parts: readonly TaxPart[]): TaxSplit {
  assert(totalMinor >= 0n, 'an invoice total is not negative')
  const taxMinor = taxIn(totalMinor, currency, parts)
  return { subtotalMinor: totalMinor - taxMinor, taxMinor, taxes: shareTax(taxMinor, currency, parts) }
}

/**
 * The tax in a partial credit, of which `beforeMinor` was credited earlier. Calculated cumulatively, so that all
 * credits together return exactly the tax of the whole.
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

/** Divides by running totals: no part is negative, and nothing remains. */
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
