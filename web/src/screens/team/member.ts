// A member of a team, and the actions available to the user. The service enforces the same rules.
import type { Member as Known } from '@cowrie/sdk'
import { type Currency, plainAmount } from '../../i18n/money.ts'
import { msg, t } from '../../i18n/t.ts'
import { parseAmount } from '../../ui/money/parse-amount.ts'

export type Member = Known & { id: string }
export type Role = Member['role']
export type Viewer = { userId: string; role: Role }

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: msg('Owner'),
  admin: msg('Administrator'),
  member: msg('Member'),
}

export const mayManage = ({ role }: Pick<Viewer, 'role'>): boolean => role !== 'member'

/** Why the user may not do it; null if they may. */
export type DisabledReasons = {
  change: string | null
  cap: string | null
  promote: string | null
  remove: string | null
}

export function disabledReasons(
  reader: Viewer,
  member: Pick<Member, 'userId' | 'role' | 'pending'>,
  owners: number,
): DisabledReasons {
  const isOwner = member.role === 'owner'
  const authority =
    isOwner && reader.role !== 'owner' ? t('Only an owner can change or remove an owner.') : null
  const last = isOwner && owners < 2 ? lastOwnerText() : null
  const isOwnLimit = member.userId === reader.userId && reader.role !== 'owner'
  return {
    change: authority,
    cap: authority ?? (isOwnLimit ? t('Your own cap is set by an owner or another administrator.') : null),
    promote:
      reader.role !== 'owner'
        ? t('Only an owner can do this.')
        : member.pending
          ? t('Invitation not accepted yet.')
          : null,
    remove: authority ?? last,
  }
}

export const lastOwnerText = (): string =>
  t('A team needs at least one owner. Make another member an owner first.')

/** A typed cap; empty means none. In major units, as the service expects it. */
export function readCap(typed: string, currency: Currency): { cap: number | null } | { error: string } {
  if (typed.trim() === '') return { cap: null }
  const read = parseAmount(typed, currency)
  return 'error' in read ? read : { cap: Number(plainAmount(read.minor, currency)) }
}
