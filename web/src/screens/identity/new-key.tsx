// The dialog for a new key: name, scopes, expiry and limits.
import type { KeysCreateReply } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import type { Currency } from '../../i18n/money.ts'
import { msg, t } from '../../i18n/t.ts'
import { appLocation } from '../../router/location.ts'
import { Field, fieldError } from '../../ui/form/field.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { DialogButton } from '../../ui/input/dialog-button.tsx'
import { Select } from '../../ui/input/select.tsx'
import { KeyLimitFields, LIMIT_FIELDS, limitsFrom, NO_LIMITS } from './key-limits.tsx'
import { SCOPES } from './scopes.ts'

const LIFETIMES = [
  ['', msg('Never')],
  ['30', msg('30 days')],
  ['90', msg('90 days')],
  ['365', msg('One year')],
] as const

type Props = { currency: Currency; onMade: (key: KeysCreateReply) => Promise<void> }

export const NewKey = ({ currency, onMade }: Props) => (
  <DialogButton
    label={t('New key')}
    submit={t('Create key')}
    question={t('New key')}
    look="primary"
    fields={['name', ...LIMIT_FIELDS]}
    opened={appLocation.value.section === 'new'}
    act={async (form) => {
      const days = textOf(form, 'life')
      await onMade(
        await api.keys.create({
          name: textOf(form, 'name').trim(),
          scopes: form.getAll('scopes') as (keyof typeof SCOPES)[],
          ...(days && { expiresInDays: Number(days) }),
          ...limitsFrom(form, currency),
        }),
      )
    }}
  >
    {(failure) => (
      <>
        <Field
          name="name"
          label={t('Name')}
          help={t('For example “Laptop” or “Build server”.')}
          required
          maxLength={100}
          dir="auto"
          autocomplete="off"
          failure={failure}
        />
        <fieldset>
          <legend>{t('Permissions')}</legend>
          {Object.entries(SCOPES).map(([scope, words]) => (
            <label key={scope} class="tick">
              <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === 'agent:run'} />
              <span>
                {t(words)} <code dir="ltr">{scope}</code>
              </span>
            </label>
          ))}
        </fieldset>
        <Select
          name="life"
          label={t('Expires')}
          options={LIFETIMES.map(([days, words]) => [days, t(words)])}
        />
        <details
          class="fold"
          open={LIMIT_FIELDS.some((name) => fieldError(failure, name) !== null) || undefined}
        >
          <summary>{t('Budget and limits')}</summary>
          <KeyLimitFields limits={NO_LIMITS} currency={currency} failure={failure} />
        </details>
      </>
    )}
  </DialogButton>
)
