// The permissions of staff tiers. The service enforces them; this shows them before a request.

import { type Me, session } from '../../../data/session.ts'
import { locale } from '../../../i18n/language.ts'
import { msg, t } from '../../../i18n/t.ts'

export type Tier = NonNullable<Me['staffRole']>

/** In ascending order. */
export const TIERS = ['support', 'billing', 'compliance', 'operator', 'super_admin'] as const satisfies Tier[]

export const TIER_TEXTS: Readonly<Record<Tier, string>> = {
  support: msg('support'),
  billing: msg('billing'),
  compliance: msg('compliance'),
  operator: msg('operator'),
  super_admin: msg('super admin'),
}

const MONEY: readonly Tier[] = ['billing', 'operator', 'super_admin']
const CUSTOMERS: readonly Tier[] = ['compliance', 'operator', 'super_admin']
const PLATFORM: readonly Tier[] = ['operator', 'super_admin']
const OURSELVES: readonly Tier[] = ['super_admin']

/** As docs/reference/access.md prints it. */
const MAY = {
  read: TIERS,
  refund: MONEY,
  payments: MONEY,
  comps: MONEY,
  kyc: CUSTOMERS,
  suspend: CUSTOMERS,
  policy: PLATFORM,
  sso: PLATFORM,
  flags: PLATFORM,
  settings: PLATFORM,
  rails: PLATFORM,
  restrictedSettings: OURSELVES,
  models: PLATFORM,
  modelSecrets: OURSELVES,
  staff: OURSELVES,
  chains: OURSELVES,
} as const satisfies Record<string, readonly Tier[]>
export type StaffAction = keyof typeof MAY

export const STAFF_ACTION_TEXTS: Readonly<Record<StaffAction, string>> = {
  read: msg('Read everything here'),
  refund: msg('Refund and adjust wallets'),
  payments: msg('Resolve payments under review'),
  comps: msg('Grant complimentary plan'),
  kyc: msg('Review identity checks'),
  suspend: msg('Suspend and reinstate organisations'),
  policy: msg('Set the policy of an organisation'),
  sso: msg('Set up single sign-on'),
  flags: msg('Manage flags'),
  settings: msg('Change settings'),
  rails: msg('Check payment providers'),
  restrictedSettings: msg('Change locked settings'),
  models: msg('Change models and providers'),
  modelSecrets: msg('Change prices of models, and addresses and keys of providers'),
  staff: msg('Manage staff access'),
  chains: msg('Accept a restored audit chain'),
}
export const STAFF_ACTIONS = Object.keys(MAY) as StaffAction[]

export const tierAllows = (tier: Tier, action: StaffAction): boolean =>
  (MAY[action] as readonly Tier[]).includes(tier)

/** Whether the signed-in user may. */
export function isAllowed(action: StaffAction): boolean {
  const tier = ownTier()
  return tier !== null && tierAllows(tier, action)
}

export const ownTier = (): Tier | null => (session.value.state === 'in' ? session.value.me.staffRole : null)

/** "Needs compliance, operator or super admin." */
export const requiredTierText = (action: StaffAction): string =>
  t('Needs {tiers}.', {
    tiers: new Intl.ListFormat(locale(), { type: 'disjunction' }).format(
      MAY[action].map((tier) => t(TIER_TEXTS[tier])),
    ),
  })

/** Why the user may not; null if they may. */
export const disabledReasonFor = (action: StaffAction): string | null =>
  isAllowed(action) ? null : requiredTierText(action)
