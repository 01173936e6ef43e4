// JSON with exact money: a field named `…Minor` is a bigint here and bare digits on the wire, over all 64 bits.
// Nothing here needs a JSON.parse that shows source text, which Node.js 20 and older browsers do not have.

/** A `…Minor` number that is no whole number: money must not be guessed. */
export class InexactMoney extends Error {
  override readonly name = 'InexactMoney'
}

// On valid JSON an unescaped quote after `Minor` can only close a string, and a colon makes that string a key. So this
// finds every such key, and never text that merely looks like one.
const MINOR_VALUE = /(Minor"\s*:\s*)(-?\d[^\s,}\]]*|")/g
const NUMBER = '#'
const TEXT = "'"

/** Parses JSON so that numbers in `…Minor` fields are bigints. Throws a SyntaxError, or InexactMoney. */
export function fromJson(text: string): unknown {
  if (!text.includes('Minor"')) return JSON.parse(text)
  // Digits become text before the engine can round them; a mark in front tells them from what was text before.
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

/** Lets JSON.stringify print a record with bigints, which it otherwise refuses: all digits, or an error with the remedy. */
function withNumbers(this: Record<string, unknown>): unknown {
  const copy = { ...this }
  for (const [name, value] of Object.entries(this)) {
    if (typeof value !== 'bigint') continue
    copy[name] = Number(value)
    if (String(copy[name]) !== value.toString()) throw new TypeError(`${name} is too large; use toJson`)
  }
  return copy
}

function unmark(key: string, marked: string): unknown {
  const value = marked.slice(1)
  if (!marked.startsWith(NUMBER)) return marked.startsWith(TEXT) ? value : marked
  if (!/^-?\d{1,19}$/.test(value))
    throw new InexactMoney(`${key} is ${value.slice(0, 40)}, not a whole number`)
  return BigInt(value)
}

/**
 * Prints a value as JSON.stringify does, with bigints as bare digits. A number in a `…Minor` field that is not a safe
 * integer is refused with a TypeError: it has lost digits already.
 */
export function toJson(value: unknown, indent = 0): string {
  return print('', value, indent > 0 ? `\n` : '', ' '.repeat(indent)) ?? 'null'
}

/** Undefined where JSON has no word for the value: such a field is left out. */
function print(key: string, given: unknown, lineStart: string, indent: string): string | undefined {
  if (typeof given === 'bigint') return given.toString()
  const value = hasToJson(given) ? given.toJSON(key) : given
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
