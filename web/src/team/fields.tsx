// Questions about a member: what they may do, and what they may spend.
import type { ApiFailure } from '../api.ts'
import { Field } from '../app/field.tsx'
import { t } from '../i18n/t.ts'
import { Select } from '../kit/select.tsx'
import type { Currency } from '../money.ts'
import { lastOwnerWords, ROLE_NAMES, type Role } from './member.ts'

/** Nobody is made an owner here: that has a question of its own. */
export function RoleField({ now: role, isLastOwner = false }: { now: Role; isLastOwner?: boolean }) {
  const offered: readonly Role[] = role === 'owner' ? ['owner', 'admin', 'member'] : ['member', 'admin']
  return (
    <Select
      name="role"
      label={t('Role')}
      options={offered.map((each) => [each, t(ROLE_NAMES[each])] as const)}
      value={role}
      disabled={isLastOwner}
      help={
        isLastOwner ? lastOwnerWords() : t('Administrators invite, change and remove members; members work.')
      }
    />
  )
}

type CapProps = { currency: Currency; refused: ApiFailure | null; value?: string; barred?: string | null }

export function CapField({ currency, refused, value = '', barred = null }: CapProps) {
  const label = t('Monthly cap ({symbol})', { symbol: currency.symbol })
  if (barred !== null) return <p class="help">{barred}</p>
  return (
    <Field
      name="capNaira"
      label={label}
      help={t('What they may spend in a calendar month. Empty for no cap.')}
      refused={refused}
      value={value}
      dir="ltr"
      inputMode="decimal"
      autocomplete="off"
      maxLength={24}
    />
  )
}
