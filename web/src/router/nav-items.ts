// The navigation of the app: five places, and everything else in groups by job.

import { msg } from '../i18n/t.ts'
import type { IconName } from '../ui/base/icon.tsx'

export type NavItem = readonly [path: string, name: string, icon: IconName]
export type NavGroup = readonly [name: string, items: readonly NavItem[]]

const TASKS = '/app/tasks'

/** In the side bar, and in the bottom bar of a phone. The last one leads to the groups. */
export const PLACES: readonly NavItem[] = [
  ['/app', msg('Home'), 'home'],
  [TASKS, msg('Tasks'), 'agent'],
  ['/app/chat', msg('Chat'), 'chat'],
  ['/app/wallet', msg('Wallet'), 'wallet'],
  ['/app/more', msg('More'), 'more'],
]

export const GROUPS: readonly NavGroup[] = [
  [
    msg('Work'),
    [
      ['/app/research', msg('Research'), 'research'],
      ['/app/projects', msg('Projects'), 'folder'],
      ['/app/index', msg('Code index'), 'index'],
      ['/app/review', msg('Review'), 'review'],
    ],
  ],
  [
    msg('Money'),
    [
      ['/app/usage', msg('Usage'), 'usage'],
      ['/app/billing', msg('Plan and cards'), 'plan'],
      ['/app/invoices', msg('Invoices'), 'invoice'],
    ],
  ],
  [
    msg('Team and access'),
    [
      ['/app/team', msg('Team'), 'team'],
      ['/app/keys', msg('API keys'), 'key'],
      ['/app/tools', msg('Use your tools'), 'agent'],
      ['/app/organisation', msg('Organisation'), 'org'],
      ['/app/webhooks', msg('Webhooks'), 'hook'],
      ['/app/audit', msg('Audit log'), 'audit'],
    ],
  ],
  [
    msg('You'),
    [
      ['/app/security', msg('Security'), 'lock'],
      ['/app/sessions', msg('Sessions'), 'device'],
      ['/app/organisations', msg('Organisations'), 'org'],
      ['/app/settings', msg('Settings'), 'settings'],
    ],
  ],
]

/** Screens of a place that have another address. */
const ALSO: Readonly<Record<string, RegExp>> = {
  [TASKS]: /^\/app\/(agent|tasks)(\/|$)/,
  '/app/more': /^\/app\/(?!(agent|tasks|chat|wallet|ops)(\/|$))./,
}

/** Whether the item, or something below it, is open. */
export const isActive = (item: string, path: string): boolean =>
  item === path || (ALSO[item]?.test(path) ?? (!/^\/app(\/ops)?$/.test(item) && path.startsWith(`${item}/`)))

/** The group of an open screen. */
export const groupAt = (path: string): NavGroup | undefined =>
  GROUPS.find(([, items]) => items.some(([item]) => isActive(item, path)))
