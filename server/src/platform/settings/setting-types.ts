// The types of setting values, with their limits and the text of the validation error.
import { parseUpstreamUrl } from './upstream-url.ts'

export type SettingValue = boolean | number | string

export type Unit = 'minor' | 'ms' | 'mb' | 'pct' | 'count'
export type Option = { readonly value: string; readonly label: string; readonly note: string }

/** A valid value, or the end of the sentence "<key> must be …". */
export type ParsedValue<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly mustBe: string }

export type SettingType<T extends SettingValue = SettingValue> = {
  readonly kind: 'boolean' | 'number' | 'enum' | 'string'
  readonly unit?: Unit
  readonly min?: number
  readonly max?: number
  readonly options?: readonly Option[]
  /** Stored encrypted and shown only by its last four characters. `sentTo` is the key of its address setting. */
  readonly secret?: { readonly sentTo: string }
  /** Validates a value of an operator or of the database. */
  read(value: unknown): ParsedValue<T>
  /** Converts the text of an environment variable. `read` then validates it. */
  fromText(text: string): unknown
}

type Bounds = { min: number; max: number }

export const count = (bounds: Bounds) => wholeNumber('count', '', bounds)
export const milliseconds = (bounds: Bounds) => wholeNumber('ms', ' milliseconds', bounds)
export const megabytes = (bounds: Bounds) => wholeNumber('mb', ' megabytes', bounds)
export const percent = (bounds: Bounds = { min: 0, max: 100 }) => wholeNumber('pct', ' percent', bounds)
export const minorUnits = (bounds: Bounds) => wholeNumber('minor', ' minor units', bounds)

function wholeNumber(unit: Unit, unitName: string, { min, max }: Bounds): SettingType<number> {
  const mustBe = `a whole number from ${min} to ${max}${unitName}`
  return {
    kind: 'number',
    unit,
    min,
    max,
    read: (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
        ? { ok: true, value }
        : { ok: false, mustBe },
    fromText: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  }
}

export function flag(): SettingType<boolean> {
  const words = new Map<string, boolean>(
    Object.entries({ true: true, on: true, 1: true, false: false, off: false, 0: false }),
  )
  return {
    kind: 'boolean',
    read: (value) =>
      typeof value === 'boolean' ? { ok: true, value } : { ok: false, mustBe: 'true or false' },
    fromText: (text) => words.get(text.toLowerCase()) ?? text,
  }
}

/** One of several values, each with a label and a note about its effect. */
export function oneOf<K extends string>(choices: Record<K, { label: string; note: string }>): SettingType<K> {
  const known = new Map(Object.entries<{ label: string; note: string }>(choices))
  const isKnown = (value: unknown): value is K => typeof value === 'string' && known.has(value)
  return {
    kind: 'enum',
    options: [...known].map(([value, { label, note }]) => ({ value, label, note })),
    read: (value) =>
      isKnown(value) ? { ok: true, value } : { ok: false, mustBe: `one of ${[...known.keys()].join(', ')}` },
    fromText: (text) => text,
  }
}

const NAME_CHARACTERS_MAX = 200
const SECRET_CHARACTERS_MAX = 4_096
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u

/** A short name, such as a model name. Empty means not configured. */
export function text(): SettingType<string> {
  return strings(
    `at most ${NAME_CHARACTERS_MAX} visible characters without surrounding spaces, or empty`,
    (value) => value.length <= NAME_CHARACTERS_MAX && value === value.trim() && !INVISIBLE.test(value),
  )
}

/** An address that the service sends requests to. Empty means not configured. */
export function url(): SettingType<string> {
  return strings(
    'an http or https URL without user name or password, whose host is not link-local, or empty',
    (value) => value === '' || parseUpstreamUrl(value) !== null,
  )
}

/** A credential for the service at the address in setting `sentTo`. Empty means not configured. */
export function secret({ sentTo }: { sentTo: string }): SettingType<string> {
  const visible = strings(
    `at most ${SECRET_CHARACTERS_MAX} visible ASCII characters, or empty; enter the full value, not the masked one`,
    (value) => value.length <= SECRET_CHARACTERS_MAX && /^[\x21-\x7e]*$/.test(value),
  )
  return { ...visible, secret: { sentTo } }
}

function strings(mustBe: string, accepts: (value: string) => boolean): SettingType<string> {
  return {
    kind: 'string',
    read: (value) =>
      typeof value === 'string' && accepts(value) ? { ok: true, value } : { ok: false, mustBe },
    fromText: (value) => value,
  }
}
