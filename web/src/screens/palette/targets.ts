// The targets of the palette: screens, actions, and the newest tasks, chats and invoices. And the search.

import { api } from '../../data/api.ts'
import { asFailure } from '../../data/failure.ts'
import { chooseAppearance, chosenAppearance } from '../../data/preferences/appearance.ts'
import { signOut } from '../../data/session.ts'
import { formatDate } from '../../i18n/format.ts'
import { msg, t } from '../../i18n/t.ts'
import { GROUPS, type NavItem, PLACES } from '../../router/nav-items.ts'
import { STAFF_GROUPS } from '../../router/staff-items.ts'
import { moneyIn } from '../../ui/money/currencies.ts'

/** `path` identifies the target. `run` acts instead of opening it. */
export type Target = {
  readonly path: string
  readonly name: string
  readonly group: string
  readonly run?: () => unknown
}

/** How many of each list are searched. */
const NEWEST = 50

const ACTIONS: readonly (readonly [path: string, name: string])[] = [
  ['/app/tasks/new', msg('New task')],
  ['/app/chat/new', msg('New chat')],
  ['/app/wallet#top-up', msg('Top up')],
  ['/app/review/scan', msg('Scan code')],
  ['/app/keys#new', msg('Create an API key')],
  ['/app/team#invite', msg('Invite a member')],
  ['/app/models', msg('Compare models and prices')],
  ['/app/agent/runs', msg('Past runs')],
  ['/app/device', msg('Connect a device')],
]

export function targetsFor(isStaff: boolean): Target[] {
  const named = (items: readonly NavItem[], group: string): Target[] =>
    items.map(([path, name]) => ({ path, name: t(name), group }))
  const action = t('Action')
  return [
    ...named(PLACES, ''),
    ...GROUPS.flatMap(([group, items]) => named(items, t(group))),
    ...ACTIONS.map(([path, name]) => ({ path, name: t(name), group: action })),
    { path: 'dark', name: t('Use the dark theme'), group: action, run: () => applyTheme('dark') },
    { path: 'light', name: t('Use the light theme'), group: action, run: () => applyTheme('light') },
    { path: 'sign-out', name: t('Sign out'), group: action, run: signOut },
    ...(isStaff ? STAFF_GROUPS.flatMap(([, items]) => named(items, t('Staff console'))) : []),
  ]
}

const applyTheme = (mode: string): void => chooseAppearance({ ...chosenAppearance.peek(), mode })

/** Each list by itself: one that fails, or that the user may not read, is left out. */
export const LISTS: readonly (() => Promise<Target[]>)[] = [
  async () => {
    const { tasks } = await api.tasks.list({ limit: NEWEST })
    return tasks.map(({ id, title }) => ({ path: `/app/tasks/${id}`, name: title, group: t('Task') }))
  },
  async () => {
    const { threads } = await api.chat.threads.list({ limit: NEWEST })
    return threads
      .filter(({ title }) => title !== '')
      .map(({ id, title }) => ({ path: `/app/chat/${id}`, name: title, group: t('Chat') }))
  },
  async () => {
    const { invoices } = await api.invoices.list({ limit: NEWEST })
    return invoices.map(({ id, number, totalMinor, currency, issuedAt }) => ({
      path: `/app/invoices#${id}`,
      name: `${number} · ${moneyIn(totalMinor, currency)} · ${formatDate(issuedAt)}`,
      group: t('Invoice'),
    }))
  },
]

/** Adds each list as it arrives. */
export function loadLists(add: (found: readonly Target[]) => void): void {
  for (const load of LISTS) void load().then(add, asFailure)
}

/** Names that start with the text, then names with such a word, then names that contain it. Ignores accents. */
export function find(targets: readonly Target[], asked: string): Target[] {
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
