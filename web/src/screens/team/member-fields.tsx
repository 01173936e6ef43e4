// Form fields of a member: role and cap.
import type { ApiFailure } from '../../data/failure.ts'
import type { Currency } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Field, fieldError } from '../../ui/form/field.tsx'
import { Select } from '../../ui/input/select.tsx'
import { lastOwnerText, ROLE_NAMES, type Role } from './member.ts'

/** Ownership has its own dialog. `name` distinguishes two fields on one page. */
type RoleProps = { name?: string; now: Role; isLastOwner?: boolean }

export function RoleField({ name = 'role', now: role, isLastOwner = false }: RoleProps) {
  const offered: readonly Role[] = role === 'owner' ? ['owner', 'admin', 'member'] : ['member', 'admin']
  return (
    <Select
      name={name}
      label={t('Role')}
      options={offered.map((each) => [each, t(ROLE_NAMES[each])] as const)}
      value={role}
      disabled={isLastOwner}
      help={isLastOwner ? lastOwnerText() : t('Administrators can invite, change and remove members.')}
    />
  )
}

type CapProps = {
  name?: string
  currency: Currency
  failure: ApiFailure | null
  value?: string
  disabledReason?: string | null
}

export function CapField({
  name = 'capNaira',
  currency,
  failure,
  value = '',
  disabledReason = null,
}: CapProps) {
  const label = t('Monthly cap ({symbol})', { symbol: currency.symbol })
  if (disabledReason !== null) return <p class="help">{disabledReason}</p>
  return (
    <Field
      name={name}
      label={label}
      help={t('The most they can spend per calendar month. Empty means no cap.')}
      error={fieldError(failure, name) ?? fieldError(failure, 'capNaira')}
      value={value}
      dir="ltr"
      inputMode="decimal"
      autocomplete="off"
      maxLength={24}
    />
  )
}
