// Values of a statement as PostgreSQL reads them. All of it happens before `pg` sees the statement: a value that cannot be
// written fails its own statement, and no byte of that statement has left.
import { toJson } from '../../../../kernel/json.ts'
import { Json, type Value } from '../../tx.ts'

/** Bytes travel as they are, everything else as text. */
export type Parameter = string | Uint8Array | null

export type Parameters = {
  /** One letter per parameter: part of the identity of a statement. */
  readonly signature: string
  readonly values: readonly Parameter[]
}

/** By letter: the OID that is sent. For all others the server infers the type, and 0 asks it to. */
const OIDS: Readonly<Record<string, number>> = { t: 1184, i: 20, b: 16, y: 17, j: 3802 }

/** The protocol counts them in 16 bits. */
const PARAMETERS_MAX = 65_535

export const typesOf = (signature: string): number[] => [...signature].map((letter) => OIDS[letter] ?? 0)

export function encodeParameters(values: readonly Value[]): Parameters {
  if (values.length > PARAMETERS_MAX)
    throw new RangeError(
      `A statement has at most ${PARAMETERS_MAX} parameters, not ${values.length}; bind an array instead.`,
    )
  let signature = ''
  const encoded: Parameter[] = new Array(values.length)
  for (let n = 0; n < values.length; n++) {
    const value = values[n] as Value | undefined
    if (typeof value === 'string') {
      signature += 'u'
      encoded[n] = value
    } else {
      signature += letterOf(value)
      encoded[n] = wireValueOf(value)
    }
  }
  return { signature, values: encoded }
}

function letterOf(value: Value | undefined): string {
  if (typeof value === 'bigint') return 'i'
  if (typeof value === 'boolean') return 'b'
  if (value instanceof Date) return 't'
  if (value instanceof Json) return 'j'
  return value instanceof Uint8Array ? 'y' : 'u'
}

function wireValueOf(value: Value | undefined): Parameter {
  if (value === null) return null
  if (value === undefined)
    throw new TypeError('A parameter is undefined; bind null where a value is missing.')
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Json) return toJson(value.value)
  if (value instanceof Uint8Array) return value
  if (typeof value === 'boolean') return value ? 't' : 'f'
  return Array.isArray(value) ? arrayLiteral(value) : String(value)
}

type Item = string | number | bigint | boolean | Date | null | Uint8Array

function arrayLiteral(items: readonly Item[]): string {
  return `{${items.map(itemLiteral).join(',')}}`
}

function itemLiteral(item: Item): string {
  if (item === null) return 'NULL'
  if (item instanceof Date) return `"${item.toISOString()}"`
  if (item instanceof Uint8Array) return `"\\\\x${Buffer.from(item).toString('hex')}"`
  return `"${String(item).replace(/["\\]/g, '\\$&')}"`
}
