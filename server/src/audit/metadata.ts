// Cleans audit metadata: plain JSON, bounded, without secrets.
import { toJson } from '../kernel/json.ts'
import { isSecretName, REDACTED, redactText } from '../platform/log/redact.ts'

const BYTES_MAX = 8 * 1024
const DEPTH_MAX = 8
const NAMES_MAX = 50
const NAME_CHARACTERS_MAX = 60

/** Returns a cleaned copy. Beyond 8 KiB of JSON it has only the field names and `tooLarge: true`. */
export function cleanMetadata(metadata: object): Record<string, unknown> {
  const copy = cleanRecord(metadata, 0)
  const bytes = Buffer.byteLength(toJson(copy))
  if (bytes <= BYTES_MAX) return copy
  const names = Object.keys(copy).slice(0, NAMES_MAX)
  return {
    tooLarge: true,
    bytes,
    names: names.map((name) => name.slice(0, NAME_CHARACTERS_MAX).toWellFormed()),
  }
}

function cleanRecord(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined) continue
    // Defined, not assigned, so that a field named __proto__ is an ordinary field.
    const cleaned = isSecretName(key) ? mask(field) : cleanValue(field, depth + 1)
    Object.defineProperty(copy, storable(key), {
      value: cleaned,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return copy
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(storable(value))
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return value
  if (typeof value !== 'object') return null
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (depth >= DEPTH_MAX) return '[too deep]'
  return Array.isArray(value) ? value.map((each) => cleanValue(each, depth + 1)) : cleanRecord(value, depth)
}

// Null and booleans stay visible: they show whether a secret was present without revealing it.
const mask = (value: unknown): unknown => (value === null || typeof value === 'boolean' ? value : REDACTED)

// PostgreSQL stores neither NUL nor lone surrogates.
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\ufffd')
