// JSON with exact 64-bit integers in both directions.

// A bigint prints as the bare digits: one prototype method instead of a replacer that would slow every reply down.
declare global {
  interface JSON {
    rawJSON(text: string): unknown
  }
  interface BigInt {
    toJSON(): unknown
  }
}
BigInt.prototype.toJSON = function () {
  return JSON.rawJSON(this.toString())
}

export const toJson = (value: unknown): string => JSON.stringify(value)

/** Marks a `…Minor` number that was written with a fraction, an exponent or beyond 64 bits. No shape accepts it. */
export class InexactNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
  /** Where it is somebody else's number and passed on, it leaves as it came. */
  toJSON(): unknown {
    return JSON.rawJSON(this.source)
  }
}

/** A `capNaira` as it was written: what it is worth in minor units only its currency can say. */
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
 * Parses JSON so that a field named `…Minor` is a bigint, exact to the last digit, or an InexactNumber, and one named
 * `capNaira` a DecimalText. Bodies without such a field take the engine's fast path.
 */
export function fromJson(text: string): unknown {
  const hasMoney = text.includes('Minor"') || text.includes('capNaira"')
  return hasMoney ? parse(text, reviveMoney) : parse(text)
}

function reviveMoney(this: unknown, key: string, value: unknown, context: { source: string }): unknown {
  if (typeof value !== 'number') return value
  if (key === 'capNaira') return new DecimalText(context.source)
  if (!key.endsWith('Minor')) return value
  if (!/^-?\d{1,19}$/.test(context.source)) return new InexactNumber(context.source)
  return BigInt(context.source)
}

/** The same text for the same value whatever the order of its keys: what a fingerprint is taken of. */
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
