// Makes log fields plain and bounded, and redacts secrets. Never throws.
import { isSecretName, REDACTED, redactText } from './redact.ts'

const DEPTH_MAX = 8
const ENTRIES_MAX = 100
const VALUES_MAX = 2_000
const STACK_CHARACTERS_MAX = 4_096
const CAUSES_MAX = 3
const NAMES_KEPT_MAX = 2_000

/** A copy for the log: secrets redacted, errors described, depth and size bounded with a marker. */
export function clean(fields: object): Record<string, unknown> {
  try {
    const copy = new Cleaner().value(fields, 0)
    return isRecord(copy) ? copy : { value: copy }
  } catch (error) {
    // A getter or proxy threw. The line is written without its fields.
    return {
      unloggable: error instanceof Error ? redactText(error.message) : 'a field threw an error',
    }
  }
}

class Cleaner {
  #valuesLeft = VALUES_MAX

  value(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case 'string':
        return redactText(value)
      case 'bigint':
        return value.toString()
      case 'function':
      case 'symbol':
        return undefined
      case 'object':
        return value === null ? null : this.#object(value, depth)
      default:
        return value
    }
  }

  #object(value: object, depth: number): unknown {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
    if (value instanceof URL) return redactText(value.href)
    if (value instanceof Error) return this.#error(value, depth, CAUSES_MAX)
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`
    if (depth >= DEPTH_MAX) return '[too deep]'
    if (Array.isArray(value) || value instanceof Set) return this.#list(value, depth)
    const entries = value instanceof Map || value instanceof Headers ? value : Object.entries(value)
    return this.#record(entries, depth)
  }

  #record(entries: Iterable<readonly [unknown, unknown]>, depth: number): Record<string, unknown> {
    const copy: Record<string, unknown> = {}
    let count = 0
    for (const [key, value] of entries) {
      if (++count > ENTRIES_MAX || --this.#valuesLeft < 0) {
        copy.more = '[left out]'
        break
      }
      const { name, secret } = judge(String(key))
      copy[depth === 0 && RESERVED.has(name) ? `${name}_` : name] = secret
        ? hide(value)
        : this.value(value, depth + 1)
    }
    return copy
  }

  #list(values: Iterable<unknown>, depth: number): unknown[] {
    const copy: unknown[] = []
    for (const value of values) {
      if (copy.length >= ENTRIES_MAX || --this.#valuesLeft < 0) {
        copy.push('[left out]')
        break
      }
      copy.push(this.value(value, depth + 1))
    }
    return copy
  }

  // Only standard properties: drivers attach statements, parameters and whole requests to their errors.
  #error(error: Error, depth: number, causesLeft: number): Record<string, unknown> {
    const copy: Record<string, unknown> = {
      type: redactText(String(error.name === 'Error' ? error.constructor.name : error.name)),
      message: redactText(String(error.message)),
    }
    if (typeof error.stack === 'string') copy.stack = bound(redactText(error.stack), STACK_CHARACTERS_MAX)
    if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number'))
      copy.code = typeof error.code === 'string' ? redactText(error.code) : error.code
    if (causesLeft === 0) return copy
    if (error.cause !== undefined)
      copy.cause =
        error.cause instanceof Error
          ? this.#error(error.cause, depth, causesLeft - 1)
          : this.value(error.cause, depth + 1)
    if (error instanceof AggregateError)
      copy.errors = error.errors
        .slice(0, CAUSES_MAX)
        .map((each) =>
          each instanceof Error ? this.#error(each, depth, causesLeft - 1) : this.value(each, depth + 1),
        )
    return copy
  }
}

// Reserved by the log line itself. A field with such a name gets a suffix.
const RESERVED = new Set(['level', 'time', 'msg'])

type Judgement = { readonly name: string; readonly secret: boolean }
const judgements = new Map<string, Judgement>()

// Results are cached by name, up to a limit.
function judge(key: string): Judgement {
  const known = judgements.get(key)
  if (known) return known
  const safe = redactText(key)
  const judgement = { name: safe in Object.prototype ? `${safe}_` : safe, secret: isSecretName(key) }
  if (judgements.size < NAMES_KEPT_MAX && key.length <= 64) judgements.set(key, judgement)
  return judgement
}

// Keeps null and booleans, because the presence of a secret is useful and reveals nothing.
const hide = (value: unknown): unknown =>
  value === null || value === undefined || typeof value === 'boolean' ? value : REDACTED

const bound = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text)
const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
