// A document as tax authorities need it: tax per line, and decimal amounts without floating point.
import { assert } from '../../kernel/assert.ts'
import { DecimalText } from '../../kernel/json.ts'
import { type Currency, describeCurrency, money, scaleHalfUp } from '../../kernel/money.ts'
import type { Buyer, InvoiceLine, Party } from '../document.ts'
import type { Tax } from '../tax/tax.ts'

export type TaxDocument = {
  readonly kind: 'invoice' | 'credit_note'
  /** Our number. */
  readonly number: string
  /** The name at the authority: our number, except where another organisation has the same. */
  readonly key: string
  /** The consecutive number at the authority. */
  readonly serial: bigint
  readonly issuedAt: Date
  readonly currency: Currency
  readonly seller: Party
  readonly buyer: Buyer
  /** Shown to the customer: `Visa ending in 4081`. */
  readonly method: string | null
  readonly lines: readonly TaxLine[]
  readonly taxes: readonly Tax[]
  readonly subtotalMinor: bigint
  readonly taxMinor: bigint
  readonly totalMinor: bigint
  /** Of a credit note: the accepted invoice that it reduces. */
  readonly original: OriginalInvoice | null
}

export type OriginalInvoice = {
  readonly key: string
  readonly serial: bigint
  readonly authorityId: string
  readonly stamp: Readonly<Record<string, string>>
  readonly issuedAt: Date
  /** Whether the note credits all of it. */
  readonly isWhole: boolean
}

export type TaxLine = {
  readonly description: string
  readonly quantity: number
  readonly grossMinor: bigint
  readonly netMinor: bigint
  /** In the order of the taxes of the document. */
  readonly taxesMinor: readonly bigint[]
}

const DESCRIPTION_CHARACTERS_MAX = 200

/**
 * Divides the taxes of a document among its lines, so that the lines sum exactly to its taxes and totals. Authorities take no
 * negative amounts: a document with a credit, or with a line too small for its taxes, becomes one line.
 */
export function taxLinesOf(
  lines: readonly InvoiceLine[],
  taxes: readonly Tax[],
  currency: Currency,
): TaxLine[] {
  const divided = divideTaxes(lines, taxes, currency)
  if (divided.every(({ grossMinor, netMinor }) => grossMinor > 0n && netMinor >= 0n)) return divided
  const description = lines.map((line) => line.description).join('; ')
  return divideTaxes([{ description, quantity: 1, amountMinor: totalOf(lines) }], taxes, currency)
}

const totalOf = (lines: readonly InvoiceLine[]): bigint =>
  lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)

function divideTaxes(lines: readonly InvoiceLine[], taxes: readonly Tax[], currency: Currency): TaxLine[] {
  const totalMinor = totalOf(lines)
  assert(totalMinor > 0n, 'a registered document has an amount')
  let untilMinor = 0n
  const sharedMinor = taxes.map(() => 0n)
  return lines.map(({ description, quantity, amountMinor }) => {
    untilMinor += amountMinor
    const reachedMinor = untilMinor > 0n ? untilMinor : 0n
    const taxesMinor = taxes.map((tax, at) => {
      const until = scaleHalfUp(money(tax.amountMinor, currency), reachedMinor, totalMinor).minor
      const share = until - (sharedMinor[at] ?? 0n)
      sharedMinor[at] = until
      return share
    })
    return {
      description: description.slice(0, DESCRIPTION_CHARACTERS_MAX),
      quantity,
      grossMinor: amountMinor,
      netMinor: taxesMinor.reduce((rest, taxMinor) => rest - taxMinor, amountMinor),
      taxesMinor,
    }
  })
}

/** The quantity and the price of one, whose product is the amount. One piece where the price of one would have a fraction. */
export const unitsOf = (amountMinor: bigint, quantity: number): { quantity: number; unitMinor: bigint } =>
  quantity > 0 && amountMinor % BigInt(quantity) === 0n
    ? { quantity, unitMinor: amountMinor / BigInt(quantity) }
    : { quantity: 1, unitMinor: amountMinor }

/** 107500 kobo → `1075.00` */
export function decimal(minor: bigint, currency: Currency): string {
  assert(minor >= 0n, 'authorities take no negative amounts')
  const digits = String(describeCurrency(currency).minorUnit).length - 1
  const text = minor.toString().padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** A JSON number with exactly these digits. */
export const amount = (minor: bigint, currency: Currency): DecimalText =>
  new DecimalText(decimal(minor, currency))

/** 750 → 7.5 */
export const percent = (rateBps: number): DecimalText => new DecimalText(String(rateBps / 100))

/** The local date and time: `2026-11-15` and `13:00:00`. */
export function localTime(at: Date, timeZone: string): { date: string; time: string } {
  const [date = '', time = ''] = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
    .format(at)
    .split(' ')
  return { date, time }
}
