// JSON with exact money: a field named `…Minor` is a bigint in memory and plain digits on the wire, over all 64 bits.
// It does not use the source text access of JSON.parse, which Node.js 20 and older browsers lack.

/** Thrown for a `…Minor` number that is not an integer: an amount must not be guessed. */
export class InexactMoney extends Error {
  override readonly name = 'InexactMoney'
}

// In valid JSON an unescaped quote after `Minor` can only close a string, and a colon makes that string a key. So this
// finds every such key, and never a string value that looks like one.
const MINOR_VALUE = /(Minor"\s*:\s*)(-?\d[^\s,}\]]*|")/g
const NUMBER = '#'
const TEXT = "'"

/** Parses JSON so that numbers in `…Minor` fields are bigints. Throws a SyntaxError, or InexactMoney. */
export function fromJson(text: string): unknown {
  if (!text.includes('Minor"')) return JSON.parse(text)
  // Numbers become strings before the engine can round them. A prefix tells them from values that were strings before.
  const marked = text.replace(MINOR_VALUE, (_, key: string, value: string) =>
    value === '"' ? `${key}"${TEXT}` : `${key}"${NUMBER}${value}"`,
  )
  return JSON.parse(marked, function (this: object, key, value: unknown) {
    if (typeof value !== 'string' || !key.endsWith('Minor')) return value
    const money = unmark(key, value)
    if (typeof money === 'bigint')
      Object.defineProperty(this, 'toJSON', { value: withNumbers, configurable: true })
    return money
  })
}

/** Lets JSON.stringify print an object with bigints: with all digits, or with an error that names the solution. */
function withNumbers(this: Record<string, unknown>): unknown {
  const copy = { ...this }
  for (const [name, value] of Object.entries(this)) {
    if (typeof value !== 'bigint') continue
    copy[name] = Number(value)
    if (String(copy[name]) !== value.toString())
      throw new TypeError(`${name} is too large for JSON.stringify. Use toJson.`)
  }
  return copy
}

function unmark(key: string, marked: string): unknown {
  const value = marked.slice(1)
  if (!marked.startsWith(NUMBER)) return marked.startsWith(TEXT) ? value : marked
  if (!/^-?\d{1,19}$/.test(value)) throw new InexactMoney(`${key} is ${value.slice(0, 40)}, not an integer`)
  return BigInt(value)
}

/**
 * Prints a value as JSON.stringify does, with bigints as plain digits. Throws a TypeError for a number in a `…Minor` field
 * that is not a safe integer: it has already lost digits.
 */
export function toJson(value: unknown, indent = 0): string {
  return print('', value, indent > 0 ? `\n` : '', ' '.repeat(indent)) ?? 'null'
}

/** Undefined for a value that JSON cannot express: such a field is left out. */
function print(key: string, input: unknown, lineStart: string, indent: string): string | undefined {
  if (typeof input === 'bigint') return input.toString()
  const value = hasToJson(input) ? input.toJSON(key) : input
  if (typeof value === 'number' && key.endsWith('Minor') && !Number.isSafeInteger(value))
    throw new TypeError(`${key} must be a bigint or a safe integer, not ${value}`)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)

  const inner = lineStart && lineStart + indent
  if (Array.isArray(value))
    return enclose(
      '[',
      value.map((item, index) => print(String(index), item, inner, indent) ?? 'null'),
      ']',
      lineStart,
      inner,
    )
  const fields: string[] = []
  for (const [name, field] of Object.entries(value)) {
    const printed = print(name, field, inner, indent)
    if (printed !== undefined) fields.push(`${JSON.stringify(name)}:${indent && ' '}${printed}`)
  }
  return enclose('{', fields, '}', lineStart, inner)
}

function enclose(open: string, items: string[], close: string, lineStart: string, inner: string): string {
  return items.length === 0 ? open + close : `${open}${inner}${items.join(`,${inner}`)}${lineStart}${close}`
}

const hasToJson = (value: unknown): value is { toJSON(key: string): unknown } => {
  const method = (value as { toJSON?: unknown } | null | undefined)?.toJSON
  return typeof method === 'function' && method !== withNumbers
}
