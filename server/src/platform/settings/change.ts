// Changes of settings by an operator, and their consequences.
import { ApiError } from '../../kernel/errors.ts'
import type { Tx } from '../db/tx.ts'
import type { Secrets } from '../secrets.ts'
import type { Catalogue } from './catalogue.ts'
import { describeSetting, type PlatformSetting } from './listing.ts'
import type { Setting, SettingValue } from './setting.ts'
import * as sql from './sql.ts'
import { resolveValue, toStoredSetting } from './stored-value.ts'
import { hostOf } from './upstream-url.ts'

/** One changed setting. It contains no values of secrets, so that audit events and logs cannot leak them. */
export type SettingUpdate = {
  readonly key: string
  readonly secret: boolean
  readonly from: SettingValue | null
  readonly to: SettingValue | null
  readonly previousSource: 'operator' | 'env' | 'default'
  /** The setting after the change; null for a key that this build does not declare. */
  readonly setting: PlatformSetting | null
}

type SettingsContext = { secrets: Secrets; catalogue: Catalogue }

/**
 * Stores an operator's value, also when it equals the effective one: the operator then owns it. The first update is the
 * requested one. Others follow when a secret's address moves to another host: the secret is cleared and never sent there.
 */
export async function setValue(
  tx: Tx,
  context: SettingsContext,
  setting: Setting,
  input: unknown,
  email: string,
): Promise<SettingUpdate[]> {
  const parsed = setting.type.read(input)
  if (!parsed.ok) throw new ApiError('invalid_setting', { error: `${setting.key} must be ${parsed.mustBe}.` })
  await sql.lockForChange(tx)
  const change = await store(tx, context, setting, parsed.value, email)
  return [change, ...(await clearSecretsOfOldHost(tx, context, change, email))]
}

/** Deletes the stored value. The setting returns to its default, and the next start may seed it again. */
export async function resetValue(
  tx: Tx,
  context: SettingsContext,
  key: string,
  email: string,
): Promise<SettingUpdate[]> {
  await sql.lockForChange(tx)
  const before = await sql.find(tx, key)
  if (!before)
    throw new ApiError('not_found', {
      error:
        'Nothing is stored under this key. The setting has its default value, or the key does not exist.',
    })
  await sql.remove(tx, key)
  tx.notify('settings', key)
  const setting = context.catalogue.find(key)
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
  const change = toUpdate(context, setting, before, undefined)
  return [change, ...(await clearSecretsOfOldHost(tx, context, change, email))]
}

async function store(
  tx: Tx,
  context: SettingsContext,
  setting: Setting,
  value: SettingValue,
  email: string,
): Promise<SettingUpdate> {
  const before = await sql.find(tx, setting.key)
  const after = toStoredSetting(tx, context.secrets, setting, value, { source: 'operator', email })
  await sql.save(tx, after)
  tx.notify('settings', setting.key)
  return toUpdate(context, setting, before, after)
}

// An admin who may change an address must not learn the key for it by redirecting the requests to another host. The key
// is stored as empty rather than deleted, because the next start would seed it again for the new host.
async function clearSecretsOfOldHost(
  tx: Tx,
  context: SettingsContext,
  { key, from, to }: SettingUpdate,
  email: string,
): Promise<SettingUpdate[]> {
  const changes: SettingUpdate[] = []
  for (const setting of context.catalogue.settings) {
    if (setting.type.secret?.sentTo !== key) continue
    const host = hostOf(String(from))
    if (host === '' || host === hostOf(String(to))) continue
    const current = resolveValue(context.secrets, setting, await sql.find(tx, setting.key))
    if (current.value !== '') changes.push(await store(tx, context, setting, '', email))
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
