// From what is stored to what is in force, and back. Secrets are opened and sealed here and nowhere else.
import type { Tx } from '../db/tx.ts'
import { type Secrets, UnsealError } from '../secrets.ts'
import type { Setting, SettingValue } from './setting.ts'
import type { StoredSetting } from './sql.ts'

/** What a setting is worth right now. `understood` is false where a stored value had to be passed over. */
export type EffectiveValue = { readonly value: SettingValue; readonly isValid: boolean }

/**
 * A value that this build does not accept, or a secret that does not open here, counts as the default. It stays stored:
 * another replica may understand it, and whoever repairs it should see it.
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

type By = { source: 'operator'; email: string } | { source: 'env' }

export function toStoredSetting(
  tx: Tx,
  secrets: Secrets,
  setting: Setting,
  value: SettingValue,
  by: By,
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

/** The row under today's secret, or null when it is so already. A seal begins with the id of the key that made it. */
export function reseal(secrets: Secrets, setting: Setting, stored: StoredSetting): StoredSetting | null {
  const { value, isValid: understood } = resolveValue(secrets, setting, stored)
  if (stored.sealed === null || !understood) return null
  const sealed = secrets.seal(String(value), contextOf(setting))
  return keyIdOf(sealed) === keyIdOf(stored.sealed) ? null : { ...stored, sealed }
}

function openStored(secrets: Secrets, setting: Setting, stored: StoredSetting): unknown {
  // A secret in the open, or a plain setting that is sealed, was not written by us.
  if (Boolean(setting.type.secret) !== (stored.sealed !== null)) return undefined
  if (stored.sealed === null) return stored.value
  try {
    return secrets.open(stored.sealed, contextOf(setting))
  } catch (error) {
    if (error instanceof UnsealError) return undefined
    throw error
  }
}

// The seal is for one key: moved to another row it does not open.
const contextOf = (setting: Setting): string => `setting|${setting.key}`
const keyIdOf = (sealed: string): string => sealed.slice(0, sealed.indexOf('.'))
