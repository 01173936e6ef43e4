// Encodes the values of a statement. This happens before the statement is sent, so a value that cannot be encoded fails only its
// own statement.
import { toJson } from '../../../../kernel/json.ts'
import { Json, type Value } from '../../tx.ts'

/** Byte arrays are sent in binary format, everything else as text. */
export type Parameter = string | Uint8Array | null

export type Parameters = {
  /** One letter per parameter for its type. Part of the identity of a prepared statement. */
  readonly signature: string
  readonly values: readonly Parameter[]
}

/** The type OID for each letter. Other letters send 0, so that the server infers the type. */
const OIDS: Readonly<Record<string, number>> = { t: 1184, i: 20, b: 16, y: 17, j: 3802 }

/** The protocol has a 16-bit parameter count. */
const PARAMETERS_MAX = 65_535

export const typesOf = (signature: string): number[] => [...signature].map((letter) => OIDS[letter] ?? 0)

export function encodeParameters(values: readonly Value[]): Parameters {
  if (values.length > PARAMETERS_MAX)
    throw new RangeError(
      `The statement has ${values.length} parameters; the maximum is ${PARAMETERS_MAX}. Bind an array instead.`,
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
  if (value === undefined) throw new TypeError('A parameter is undefined. Bind null for a missing value.')
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Json) return toJson(value.value)
  if (value instanceof Uint8Array) return value
  if (typeof value === 'boolean') return value ? 't' : 'f'
  return Array.isArray(value) ? arrayLiteral(value) : String(value)
}

type ArrayItem = string | number | bigint | boolean | Date | null | Uint8Array

/** Statements cast their array parameters, so the literal has no type. */
function arrayLiteral(items: readonly ArrayItem[]): string {
  return `{${items.map(itemLiteral).join(',')}}`
}

function itemLiteral(item: ArrayItem): string {
  if (item === null) return 'NULL'
  if (item instanceof Date) return `"${item.toISOString()}"`
  if (item instanceof Uint8Array) return `"\\\\x${Buffer.from(item).toString('hex')}"`
  return `"${String(item).replace(/["\\]/g, '\\$&')}"`
}
