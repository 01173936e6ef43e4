// Texts about organisations in the console.
import type { AdminOrg, AdminOrgsGetReply } from '@cowrie/sdk'
import { isOnline } from '../../../data/network.ts'
import { session } from '../../../data/session.ts'
import { msg, t } from '../../../i18n/t.ts'
import { isAllowed, ownTier, requiredTierText, type StaffAction } from '../shared/tiers.ts'

/** The props of every tab of the organisation screen. */
export type OrgTabProps = { detail: AdminOrgsGetReply; reload: () => Promise<void> }

export const ORG_TIERS: Readonly<Record<AdminOrg['tier'], string>> = {
  individual: msg('Individual'),
  team: msg('Team'),
  enterprise: msg('Enterprise'),
}
export const ORG_TYPES: Readonly<Record<AdminOrg['type'], string>> = {
  individual: msg('One person'),
  team: msg('Team'),
}
export const KYC_TEXTS: Readonly<Record<AdminOrg['kycStatus'], readonly [words: string, chip: string]>> = {
  unsubmitted: [msg('Not submitted'), 'chip'],
  pending: [msg('Waiting for review'), 'chip warn'],
  verified: [msg('Verified'), 'chip ok'],
  rejected: [msg('Rejected'), 'chip bad'],
}
export const ISOLATIONS: Readonly<Record<AdminOrg['dataIsolation'], string>> = {
  shared: msg('Shared tables'),
  schema: msg('Own schema'),
  dedicated: msg('Own database'),
}

/** Why the user cannot do it; null if they can. `members` are the members of the organisation. */
export function disabledReasonFor(
  action: StaffAction,
  members: readonly { userId: string }[] = [],
): string | null {
  if (!isAllowed(action)) return requiredTierText(action)
  if (!isOnline.value) return t('You are offline.')
  const { value } = session
  const isOwn = value.state === 'in' && members.some(({ userId }) => userId === value.me.userId)
  return isOwn && ownTier() !== 'super_admin'
    ? t('You are a member. Only a super admin can change their own organisation.')
    : null
}
