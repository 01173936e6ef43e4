// Adds staff: an invitation by email, or a tier for an existing account.
import type { Signal } from '@preact/signals'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { api } from '../shared/staff-api.ts'
import { disabledReasonFor, TIER_TEXTS, TIERS } from '../shared/tiers.ts'

type Props = { reload: () => Promise<void>; done: Signal<string | null> }

/** `done` gets the result as a sentence. */
export const AddStaff = ({ reload, done }: Props) => (
  <DialogButton
    look="primary"
    label={t('Add staff member')}
    submit={t('Add to staff')}
    question={t('Add staff member')}
    fields={['email']}
    disabledReason={disabledReasonFor('staff')}
    act={async (form) => {
      done.value = null
      const body = { email: textOf(form, 'email').trim(), role: textOf(form, 'role') }
      done.value = await (textOf(form, 'way') === 'grant' ? grant(body) : invite(body))
      announce(done.value)
      await reload()
    }}
  >
    {(failure) => (
      <>
        <Field
          name="email"
          label={t('Email')}
          failure={failure}
          type="email"
          inputMode="email"
          required
          dir="auto"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={254}
        />
        <Select name="role" label={t('Tier')} options={TIERS.map((tier) => [tier, t(TIER_TEXTS[tier])])} />
        <fieldset>
          <legend>{t('Access')}</legend>
          <label class="tick">
            <input type="radio" name="way" value="invite" defaultChecked />
            <span>{t('Send an invitation.')}</span>
          </label>
          <label class="tick">
            <input type="radio" name="way" value="grant" />
            <span>{t('Immediately: the address has a confirmed account.')}</span>
          </label>
        </fieldset>
      </>
    )}
  </DialogButton>
)

type NewStaff = { email: string; role: string }

async function grant(body: NewStaff): Promise<string> {
  const { changed } = await api.admin.operators.grant(body)
  const { email } = body
  return changed ? t('{email} is now staff.', { email }) : t('{email} already had this tier.', { email })
}

async function invite(body: NewStaff): Promise<string> {
  await api.admin.operators.invite(body)
  return t('Invitation sent to {email}. It works once, within seven days.', { email: body.email })
}
