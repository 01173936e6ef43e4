// All settings of the product, in display order, found by key.
import { assert } from '../../kernel/assert.ts'
import { platformGroups } from './platform-settings.ts'
import { reservedGroups } from './reserved-settings.ts'
import type { Setting, SettingGroup } from './setting.ts'

export type Catalogue = {
  readonly groups: readonly Pick<SettingGroup, 'id' | 'label' | 'blurb'>[]
  readonly settings: readonly Setting[]
  find(key: string): Setting | undefined
}

/** The groups of the platform, of these modules, and of future features, in this order. Duplicates are removed. */
export function collectGroups(
  modules: readonly { readonly settings?: readonly SettingGroup[] }[],
): SettingGroup[] {
  const declared = modules
    .flatMap((module) => module.settings ?? [])
    .filter((part) => !reservedGroups.includes(part))
  return [...new Set([...platformGroups, ...declared, ...reservedGroups])]
}

/** Joins the parts of each group. Duplicate keys and groups with two headings are bugs. */
export function createCatalogue(parts: readonly SettingGroup[]): Catalogue {
  const groups = new Map<string, Pick<SettingGroup, 'id' | 'label' | 'blurb'>>()
  const byKey = new Map<string, Setting>()
  for (const { id, label, blurb, settings } of parts) {
    const known = groups.get(id)
    assert(!known || (known.label === label && known.blurb === blurb), `the group ${id} has one heading`)
    groups.set(id, { id, label, blurb })
    for (const setting of Object.values(settings)) {
      assert(!byKey.has(setting.key), `the setting ${setting.key} is declared once`)
      byKey.set(setting.key, setting)
    }
  }
  const settings = [...groups.keys()].flatMap((id) =>
    [...byKey.values()].filter((setting) => setting.group === id),
  )
  for (const { key, type } of settings)
    assert(!type.secret || byKey.has(type.secret.sentTo), `the secret ${key} names the address it is sent to`)
  return { groups: [...groups.values()], settings, find: (key) => byKey.get(key) }
}
