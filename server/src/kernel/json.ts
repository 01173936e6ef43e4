// JSON with exact 64-bit integers in both directions.

// A bigint prints as plain digits. One prototype method is faster than a replacer for every reply, and a number faster than raw JSON.
declare global {
  interface JSON {
    rawJSON(text: string): unknown
  }
  interface BigInt {
    toJSON(): unknown
  }
}
BigInt.prototype.toJSON = function () {
  const number = Number(this)
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(this.toString())
}

export const toJson = (value: unknown): string => JSON.stringify(value)

/** Marks a `…Minor` number with a fraction, an exponent or more than 64 bits. Every schema rejects it. */
export class InexactNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
  /** Prints the original number, for values that are only passed on. */
  toJSON(): unknown {
    return JSON.rawJSON(this.source)
  }
}

/** A `capNaira` as written. Only its currency decides the amount in minor units. */
export class DecimalText {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
  toJSON(): unknown {
    return JSON.rawJSON(this.source)
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context: { source: string }) => unknown
const parse = JSON.parse as (text: string, reviver?: Reviver) => unknown

/**
 * Parses JSON. A field named `…Minor` becomes an exact bigint or an InexactNumber, and `capNaira` a DecimalText. Bodies
 * without such a field use the fast parser of the engine.
 */
export function fromJson(text: string): unknown {
  const hasMinor = text.includes('Minor"')
  if (text.includes('capNaira"') || (hasMinor && !hasPlainMoney(text))) return parse(text, reviveMoney)
  const value = parse(text)
  if (hasMinor) toBigints(value)
  return value
}

/** A name that ends in `Minor` before a number that is not of at most 15 digits, or is followed by more than the end of a value. */
const OTHER_MONEY = /Minor"[ \t\r\n]*:[ \t\r\n]*(?=[-\d])(?!-?\d{1,15}[ \t\r\n]*[,}])/

/** Whether every `…Minor` number is small and written in plain digits. A name with an escape is not recognised here. */
const hasPlainMoney = (text: string): boolean => !text.includes('\\') && !OTHER_MONEY.test(text)

/** For text with plain money only: a reviver takes ten times as long. */
function toBigints(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) toBigints(item)
    return
  }
  const fields = value as Record<string, unknown>
  for (const key in fields) {
    const field = fields[key]
    if (typeof field === 'object') toBigints(field)
    else if (typeof field === 'number' && key.endsWith('Minor')) fields[key] = BigInt(field)
  }
}

function reviveMoney(this: unknown, key: string, value: unknown, context: { source: string }): unknown {
  if (typeof value !== 'number') return value
  if (key === 'capNaira') return new DecimalText(context.source)
  if (!key.endsWith('Minor')) return value
  if (!/^-?\d{1,19}$/.test(context.source)) return new InexactNumber(context.source)
  return BigInt(context.source)
}

/** The same text for the same value, regardless of key order. Fingerprints are based on it. */
export function canonicalJson(value: unknown): string {
  if (value instanceof InexactNumber || value instanceof DecimalText) return value.source
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).filter(([, v]) => v !== undefined)
    entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, v]) => `${JSON.stringify(key)}:${canonicalJson(v)}`).join(',')}}`
  }
  return toJson(value) ?? 'null'
}
