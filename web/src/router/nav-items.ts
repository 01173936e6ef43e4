// The navigation items of the app, in their order.

import { msg } from '../i18n/t.ts'
import type { IconName } from '../ui/base/icon.tsx'

export type NavItem = readonly [path: string, name: string, icon: IconName]

export const WORK: readonly NavItem[] = [
  ['/app', msg('Home'), 'home'],
  ['/app/agent', msg('Agent'), 'agent'],
  ['/app/chat', msg('Chat'), 'chat'],
  ['/app/research', msg('Research'), 'research'],
  ['/app/projects', msg('Projects'), 'folder'],
  ['/app/index', msg('Code index'), 'index'],
  ['/app/review', msg('Review'), 'review'],
]
export const MONEY: readonly NavItem[] = [
  ['/app/wallet', msg('Wallet'), 'wallet'],
  ['/app/usage', msg('Usage'), 'usage'],
  ['/app/billing', msg('Plan and cards'), 'plan'],
  ['/app/invoices', msg('Invoices'), 'invoice'],
]
export const ACCOUNT: readonly NavItem[] = [
  ['/app/team', msg('Team'), 'team'],
  ['/app/tools', msg('Use your tools'), 'agent'],
  ['/app/keys', msg('API keys'), 'key'],
  ['/app/organisation', msg('Organisation'), 'org'],
  ['/app/audit', msg('Audit log'), 'audit'],
  ['/app/webhooks', msg('Webhooks'), 'hook'],
  ['/app/security', msg('Security'), 'lock'],
  ['/app/sessions', msg('Sessions'), 'device'],
  ['/app/organisations', msg('Organisations'), 'org'],
  ['/app/settings', msg('Settings'), 'settings'],
]
export const STAFF: readonly NavItem[] = [
  ['/app/ops', msg('Overview'), 'chart'],
  ['/app/ops/orgs', msg('Organisations'), 'org'],
  ['/app/ops/kyc', msg('Identity checks'), 'person'],
  ['/app/ops/payments', msg('Payments'), 'payment'],
  ['/app/ops/models', msg('Models'), 'index'],
  ['/app/ops/providers', msg('Providers'), 'device'],
  ['/app/ops/settings', msg('Settings'), 'settings'],
  ['/app/ops/flags', msg('Flags'), 'flag'],
  ['/app/ops/staff', msg('Staff'), 'team'],
  ['/app/ops/posture', msg('Posture'), 'lock'],
  ['/app/ops/audit', msg('Audit'), 'audit'],
  ['/app/ops/precision', msg('Review precision'), 'review'],
  ['/app/ops/leads', msg('Enquiries'), 'mail'],
]
/** Always visible on a phone. The last item leads to the others. */
export const BOTTOM_BAR: readonly NavItem[] = [
  ['/app', msg('Home'), 'home'],
  ['/app/agent', msg('Agent'), 'agent'],
  ['/app/chat', msg('Chat'), 'chat'],
  ['/app/wallet', msg('Wallet'), 'wallet'],
  ['/app/more', msg('More'), 'more'],
]

/** Whether the item, or something below it, is open. */
export const isActive = (place: string, path: string): boolean =>
  place === path || (place !== '/app' && place !== '/app/ops' && path.startsWith(`${place}/`))
