// Converts stored rows to effective values and back. Only this file encrypts and decrypts secrets of settings.
import type { Tx } from '../db/tx.ts'
import { sealedColumn } from '../sealed-data.ts'
import { type Secrets, UnsealError } from '../secrets.ts'
import type { Setting, SettingValue } from './setting.ts'
import { listSealedSettings, replaceSealedSettings, type StoredSetting } from './sql.ts'

/** `isValid` is false when the stored value was ignored. */
export type EffectiveValue = { readonly value: SettingValue; readonly isValid: boolean }

/**
 * An invalid value, or a secret that cannot be decrypted, counts as the default. The row stays: another replica may accept
 * it, and an operator can see and correct it.
 */
export function resolveValue(
  secrets: Secrets,
  setting: Setting,
  stored: StoredSetting | undefined,
): EffectiveValue {
  if (!stored) return { value: setting.default, isValid: true }
  const reading = setting.type.read(openStored(secrets, setting, stored))
  return reading.ok ? { value: reading.value, isValid: true } : { value: setting.default, isValid: false }
}

type ValueSource = { source: 'operator'; email: string } | { source: 'env' }

export function toStoredSetting(
  tx: Tx,
  secrets: Secrets,
  setting: Setting,
  value: SettingValue,
  by: ValueSource,
): StoredSetting {
  return {
    key: setting.key,
    value: setting.type.secret ? null : value,
    sealed: setting.type.secret ? secrets.seal(String(value), contextOf(setting)) : null,
    source: by.source,
    updatedAt: tx.now,
    updatedByEmail: by.source === 'operator' ? by.email : null,
  }
}

export const sealedSettings = sealedColumn({
  name: 'platform_settings.sealed',
  list: listSealedSettings,
  replace: replaceSealedSettings,
  contextOf: (key) => contextOf({ key }),
})

function openStored(secrets: Secrets, setting: Setting, stored: StoredSetting): unknown {
  // A secret in plain text, or a plain setting that is sealed, was not written by this service.
  if (Boolean(setting.type.secret) !== (stored.sealed !== null)) return undefined
  if (stored.sealed === null) return stored.value
  try {
    return secrets.open(stored.sealed, contextOf(setting))
  } catch (error) {
    if (error instanceof UnsealError) return undefined
    throw error
  }
}

// The sealed text is bound to the key of the setting, so that it cannot be moved to another row.
const contextOf = ({ key }: Pick<Setting, 'key'>): string => `setting|${key}`
