// Settings as the back office shows them.
import type { Secrets } from '../secrets.ts'
import type { Catalogue } from './catalogue.ts'
import { type Setting, type SettingValue, variableOf } from './setting.ts'
import type { Option, Unit } from './setting-types.ts'
import type { StoredSetting } from './sql.ts'
import { resolveValue } from './stored-value.ts'

export type PlatformSetting = {
  readonly key: string
  readonly group: string
  readonly label: string
  readonly description: string
  readonly type: 'boolean' | 'number' | 'enum' | 'string'
  readonly options?: readonly Option[]
  readonly min?: number
  readonly max?: number
  readonly unit?: Unit
  readonly default: SettingValue
  /** A secret shows its last four characters. */
  readonly value: SettingValue
  /** Nothing is stored for it. */
  readonly isDefault: boolean
  /** The origin of the effective value. `default` also when the stored value is invalid. */
  readonly source: 'operator' | 'env' | 'default'
  readonly env: string
  readonly superAdminOnly: boolean
  /** True also when nothing is stored, because the input field must hide typed text. */
  readonly secret: boolean
  readonly updatedAt: Date | null
  readonly updatedByEmail: string | null
}

/** A stored key that this build does not declare. It has no effect until it is reset or declared again. */
export type OrphanSetting = {
  readonly key: string
  readonly value: unknown
  readonly source: 'operator' | 'env'
  readonly updatedAt: Date
  readonly updatedByEmail: string | null
}

export type Listing = {
  readonly settings: PlatformSetting[]
  readonly orphans: OrphanSetting[]
  readonly groups: Catalogue['groups']
}

/** Every declared setting in catalogue order. */
export function listSettings(
  secrets: Secrets,
  catalogue: Catalogue,
  rows: readonly StoredSetting[],
): Listing {
  const stored = new Map(rows.map((row) => [row.key, row]))
  return {
    settings: catalogue.settings.map((setting) => describeSetting(secrets, setting, stored.get(setting.key))),
    orphans: rows.filter((row) => !catalogue.find(row.key)).map(describeOrphan),
    groups: catalogue.groups,
  }
}

export function describeSetting(
  secrets: Secrets,
  setting: Setting,
  stored: StoredSetting | undefined,
): PlatformSetting {
  const { key, group, label, description, type, restricted } = setting
  const { value, isValid } = resolveValue(secrets, setting, stored)
  return {
    key,
    group,
    label,
    description,
    type: type.kind,
    ...(type.options && { options: type.options }),
    ...(type.min !== undefined && { min: type.min }),
    ...(type.max !== undefined && { max: type.max }),
    ...(type.unit && { unit: type.unit }),
    default: setting.default,
    value: type.secret ? maskSecret(String(value)) : value,
    isDefault: stored === undefined,
    source: stored && isValid ? stored.source : 'default',
    env: variableOf(setting),
    superAdminOnly: restricted,
    secret: type.secret !== undefined,
    updatedAt: stored?.updatedAt ?? null,
    updatedByEmail: stored?.updatedByEmail ?? null,
  }
}

const describeOrphan = ({
  key,
  value,
  sealed,
  source,
  updatedAt,
  updatedByEmail,
}: StoredSetting): OrphanSetting => ({
  key,
  value: sealed === null ? value : MASK,
  source,
  updatedAt,
  updatedByEmail,
})

const MASK = '••••'
const SHOWN_CHARACTERS = 4
const SHOWN_FROM_CHARACTERS = 8

// Enough to recognise a secret and too little to guess it. Short secrets are hidden completely.
function maskSecret(plain: string): string {
  if (plain === '') return ''
  return plain.length < SHOWN_FROM_CHARACTERS ? MASK : `${MASK}${plain.slice(-SHOWN_CHARACTERS)}`
}
