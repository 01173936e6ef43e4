// Changes the name and the limits of a key.
import type { ApiKey } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import type { Currency } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Field } from '../../ui/form/field.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { DialogButton } from '../../ui/input/dialog-button.tsx'
import { KeyLimitFields, LIMIT_FIELDS, limitsFrom } from './key-limits.tsx'

type Props = { listed: ApiKey; currency: Currency; reload: () => Promise<void> }

export const EditKey = ({ listed, currency, reload }: Props) => (
  <DialogButton
    label={t('Edit')}
    submit={t('Save')}
    name={listed.name}
    question={t('Edit “{name}”', { name: listed.name })}
    fields={['name', ...LIMIT_FIELDS]}
    act={async (form) => {
      await api.keys.change(listed.id, {
        name: textOf(form, 'name').trim(),
        ...limitsFrom(form, currency),
      })
      await reload()
      announce(t('The key is saved.'))
    }}
  >
    {(failure) => (
      <>
        <p class="help">{t('Applies from the next request. Spent money stays counted.')}</p>
        <Field
          name="name"
          id="edit-name"
          label={t('Name')}
          defaultValue={listed.name}
          failure={failure}
          required
          maxLength={100}
          dir="auto"
          autocomplete="off"
        />
        <KeyLimitFields limits={listed} currency={currency} failure={failure} prefix="edit-" />
      </>
    )}
  </DialogButton>
)
