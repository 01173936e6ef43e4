// Searchable screens, and the search.

import { msg, t } from '../../i18n/t.ts'
import { ACCOUNT, MONEY, type NavItem, STAFF, WORK } from '../../router/nav-items.ts'

export type ScreenMatch = { readonly path: string; readonly name: string; readonly group: string }

const MORE_TARGETS: readonly (readonly [path: string, name: string, group: string])[] = [
  ['/app/wallet#top-up', msg('Top up'), msg('Money')],
  ['/app/agent/runs', msg('Past runs'), msg('Work')],
  ['/app/device', msg('Connect a device'), msg('Account')],
]

export function targetsFor(isStaff: boolean): ScreenMatch[] {
  const named = (places: readonly NavItem[], group: string): ScreenMatch[] =>
    places.map(([path, name]) => ({ path, name: t(name), group }))
  return [
    ...named(WORK, t('Work')),
    ...named(MONEY, t('Money')),
    ...named(ACCOUNT, t('Account')),
    ...MORE_TARGETS.map(([path, name, group]) => ({ path, name: t(name), group: t(group) })),
    ...(isStaff ? named(STAFF, t('Staff console')) : []),
  ]
}

/** Names that start with the text, then names with such a word, then names that contain it. Ignores accents. */
export function find(targets: readonly ScreenMatch[], asked: string): ScreenMatch[] {
  const wanted = plain(asked.trim())
  if (wanted === '') return [...targets]
  const ranked = targets.map((target) => ({ target, rank: rankOf(plain(target.name), wanted) }))
  return ranked
    .filter(({ rank }) => rank < NOT_FOUND)
    .sort((a, b) => a.rank - b.rank)
    .map(({ target }) => target)
}

const NOT_FOUND = 3

function rankOf(name: string, wanted: string): number {
  if (name.startsWith(wanted)) return 0
  if (name.split(' ').some((word) => word.startsWith(wanted))) return 1
  return name.includes(wanted) ? 2 : NOT_FOUND
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
