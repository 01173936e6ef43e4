// Changing a setting: what an operator may store, and what follows from it.
import { ApiError } from '../../kernel/errors.ts'
import type { Tx } from '../db/tx.ts'
import type { Secrets } from '../secrets.ts'
import type { Catalogue } from './catalogue.ts'
import { describeSetting, type PlatformSetting } from './listing.ts'
import type { Setting, SettingValue } from './setting.ts'
import * as sql from './sql.ts'
import { resolveValue, toStoredSetting } from './stored-value.ts'
import { hostOf } from './upstream-url.ts'

/** What became of one setting. Values of secrets are not in here, so that whoever keeps it cannot leak them. */
export type SettingUpdate = {
  readonly key: string
  readonly secret: boolean
  readonly from: SettingValue | null
  readonly to: SettingValue | null
  readonly previousSource: 'operator' | 'env' | 'default'
  /** The setting as it now stands; null for a key that this build does not declare. */
  readonly setting: PlatformSetting | null
}

type SettingsContext = { secrets: Secrets; catalogue: Catalogue }

/**
 * Stores an operator's value; also where it equals the one in force, which then is the operator's. The first change is
 * the one asked for. Others follow where a secret lost the host it was for: it is emptied, never sent to the new one.
 */
export async function setValue(
  tx: Tx,
  deciding: SettingsContext,
  setting: Setting,
  given: unknown,
  email: string,
): Promise<SettingUpdate[]> {
  const reading = setting.type.read(given)
  if (!reading.ok)
    throw new ApiError('invalid_setting', { error: `${setting.key} must be ${reading.mustBe}.` })
  await sql.lockForChange(tx)
  const change = await store(tx, deciding, setting, reading.value, email)
  return [change, ...(await clearSecretsOfOldHost(tx, deciding, change, email))]
}

/** Removes what was stored: the setting returns to its default, and the next start may seed it again. */
export async function resetValue(
  tx: Tx,
  deciding: SettingsContext,
  key: string,
  email: string,
): Promise<SettingUpdate[]> {
  await sql.lockForChange(tx)
  const before = await sql.find(tx, key)
  if (!before)
    throw new ApiError('not_found', {
      error: 'This setting is at its default already, or there is none with this key.',
    })
  await sql.remove(tx, key)
  tx.notify('settings', key)
  const setting = deciding.catalogue.find(key)
  if (!setting)
    return [
      {
        key,
        secret: before.sealed !== null,
        from: null,
        to: null,
        previousSource: before.source,
        setting: null,
      },
    ]
  const change = toUpdate(deciding, setting, before, undefined)
  return [change, ...(await clearSecretsOfOldHost(tx, deciding, change, email))]
}

async function store(
  tx: Tx,
  deciding: SettingsContext,
  setting: Setting,
  value: SettingValue,
  email: string,
): Promise<SettingUpdate> {
  const before = await sql.find(tx, setting.key)
  const after = toStoredSetting(tx, deciding.secrets, setting, value, { source: 'operator', email })
  await sql.save(tx, after)
  tx.notify('settings', setting.key)
  return toUpdate(deciding, setting, before, after)
}

// Whoever may change an address but cannot read the key for it must not learn the key by having it sent elsewhere. The
// key is stored as empty rather than removed, or the next start would seed it again for the new host.
async function clearSecretsOfOldHost(
  tx: Tx,
  deciding: SettingsContext,
  { key, from, to }: SettingUpdate,
  email: string,
): Promise<SettingUpdate[]> {
  const changes: SettingUpdate[] = []
  for (const setting of deciding.catalogue.settings) {
    if (setting.type.secret?.sentTo !== key) continue
    const host = hostOf(String(from))
    if (host === '' || host === hostOf(String(to))) continue
    const held = resolveValue(deciding.secrets, setting, await sql.find(tx, setting.key))
    if (held.value !== '') changes.push(await store(tx, deciding, setting, '', email))
  }
  return changes
}

function toUpdate(
  { secrets }: SettingsContext,
  setting: Setting,
  before: sql.StoredSetting | undefined,
  after: sql.StoredSetting | undefined,
): SettingUpdate {
  const secret = setting.type.secret !== undefined
  const from = resolveValue(secrets, setting, before).value
  const to = resolveValue(secrets, setting, after).value
  return {
    key: setting.key,
    secret,
    from: secret ? null : from,
    to: secret ? null : to,
    previousSource: before?.source ?? 'default',
    setting: describeSetting(secrets, setting, after),
  }
}
