// Lists and changes platform settings on behalf of staff.
import { record } from '../audit/audit.ts'
import { assert } from '../kernel/assert.ts'
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { PlatformSetting, Setting, SettingUpdate } from '../platform/settings/settings.ts'

export async function listSettings(app: App, actor: Actor) {
  return { ...(await app.settings.list()), canManageRestricted: mayManageRestricted(actor) }
}

type SettingResult = { ok: true; setting: PlatformSetting | null; cleared: string[] }

/** Stores a value. It is effective in this process on return, and on every replica within seconds. */
export function setSetting(
  app: App,
  actor: Actor,
  key: string,
  value: unknown,
  ip: string,
): Promise<SettingResult> {
  const setting = app.settings.find(key)
  if (!setting) throw new ApiError('unknown_setting')
  requireTier(actor, setting)
  return applyChange(app, actor, ip, 'settings.set', (tx) => app.settings.set(tx, setting, value, actor))
}

/** Resets a setting to its default, or clears a stored key that is no longer declared. */
export function resetSetting(app: App, actor: Actor, key: string, ip: string): Promise<SettingResult> {
  requireTier(actor, app.settings.find(key))
  return applyChange(app, actor, ip, 'settings.reset', (tx) => app.settings.reset(tx, key, actor))
}

async function applyChange(
  app: App,
  actor: Actor,
  ip: string,
  action: string,
  work: (tx: Tx) => Promise<SettingUpdate[]>,
): Promise<SettingResult> {
  const changes = await app.db.tx('platform', async (tx) => {
    const made = await work(tx)
    for (const [index, each] of made.entries())
      await record(tx, {
        orgId: null,
        actor,
        as: 'operator',
        ip,
        action: index === 0 ? action : 'settings.set',
        target: each.key,
        metadata: {
          ...auditMetadata(each),
          ...(index > 0 && { because: `${made[0]?.key} moved to another host` }),
        },
      })
    return made
  })
  await app.settings.refresh()
  const [requested, ...others] = changes
  assert(requested, 'a settings change has at least one change')
  return { ok: true, setting: requested.setting, cleared: others.map(({ key }) => key) }
}

// For a secret, records only that it changed.
const auditMetadata = ({ secret, from, to, previousSource }: SettingUpdate): object =>
  secret ? { valueHidden: true, previousSource } : { from, to, previousSource }

function requireTier(actor: Actor, setting: Setting | undefined): void {
  if (setting?.restricted && !mayManageRestricted(actor))
    throw new ApiError('staff_only', { error: `Only a super admin may change ${setting.key}.` })
}

const mayManageRestricted = (actor: Actor): boolean => actor.staffRole === 'super_admin'
