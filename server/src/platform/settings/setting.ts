// The declaration of settings: type, default, description, and who may change them.
import { assert } from '../../kernel/assert.ts'
import type { SettingType, SettingValue } from './setting-types.ts'

export type { SettingValue } from './setting-types.ts'
export {
  count,
  flag,
  megabytes,
  milliseconds,
  minorUnits,
  oneOf,
  percent,
  secret,
  text,
  url,
} from './setting-types.ts'

export type Setting<T extends SettingValue = SettingValue> = {
  readonly key: string
  readonly group: string
  readonly label: string
  readonly description: string
  readonly type: SettingType<T>
  readonly default: T
  /** Only a super admin may change it. */
  readonly restricted: boolean
}

export type SettingGroup = {
  readonly id: string
  readonly label: string
  /** One sentence above the group in the back office. */
  readonly blurb: string
  readonly settings: Readonly<Record<string, Setting>>
}

type Heading = { label: string; blurb: string }
type Entry<T extends SettingValue> = {
  label: string
  description: string
  type: SettingType<T>
  default: NoInfer<T>
  restricted?: true
}

/** Declares a group of settings, or a further part of a group with the same heading. */
export function settings<T extends Record<string, SettingValue>>(
  id: string,
  heading: Heading,
  entries: { [K in keyof T]: Entry<T[K]> },
): SettingGroup & { readonly settings: { readonly [K in keyof T]: Setting<T[K]> } } {
  const declared = Object.entries<Entry<SettingValue>>(entries).map(([key, entry]) => {
    assert(/^[a-z][a-z0-9_]{1,62}$/.test(key), `${key} is a setting key in snake_case`)
    assert(entry.type.read(entry.default).ok, `the default of ${key} is one of its values`)
    return [key, { key, group: id, restricted: false, ...entry }] as const
  })
  return { id, ...heading, settings: Object.fromEntries(declared) as { [K in keyof T]: Setting<T[K]> } }
}

/** The environment variable that seeds a setting. */
export const variableOf = (setting: Setting): string => `SERVICE_${setting.key.toUpperCase()}`
