// Adds staff: an invitation by email, or a tier for an existing account.
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Form, textOf } from '../../../ui/form/form.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { RequiredTier } from '../shared/required-tier.tsx'
import { isAllowed, TIER_TEXTS, TIERS } from '../shared/tiers.ts'

export function AddStaff({ reload }: { reload: () => Promise<void> }) {
  const done = useSignal<string | null>(null)
  const typed = useSignal('')
  const add = useAction(async (form: FormData) => {
    done.value = null
    const body = { email: textOf(form, 'staff-email').trim(), role: textOf(form, 'staff-role') }
    if (textOf(form, 'way') === 'grant') {
      const { changed } = await api.admin.operators.grant(body)
      done.value = changed
        ? t('{email} is now staff.', { email: body.email })
        : t('{email} already had this tier.', { email: body.email })
    } else {
      await api.admin.operators.invite(body)
      done.value = t('Invitation sent to {email}. It works once, within seven days.', {
        email: body.email,
      })
    }
    typed.value = ''
    announce(done.value)
    await reload()
  })
  return (
    <Section title={t('Add staff member')}>
      <RequiredTier action="staff" />
      <fieldset disabled={!isAllowed('staff')}>
        <legend class="unseen">{t('Add staff member')}</legend>
        <Form action={add} submit={t('Add to staff')} busy={t('Please wait …')} back="staff-email">
          <Field
            name="staff-email"
            label={t('Email')}
            type="email"
            inputMode="email"
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value
            }}
            required
            dir="auto"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            maxLength={254}
          />
          <Select
            name="staff-role"
            label={t('Tier')}
            options={TIERS.map((tier) => [tier, t(TIER_TEXTS[tier])])}
          />
          <fieldset>
            <legend>{t('Mode')}</legend>
            <label class="tick">
              <input type="radio" name="way" value="invite" defaultChecked />
              <span>{t('Send an invitation.')}</span>
            </label>
            <label class="tick">
              <input type="radio" name="way" value="grant" />
              <span>{t('Immediately: the address has a confirmed account.')}</span>
            </label>
          </fieldset>
        </Form>
      </fieldset>
      {done.value && <p class="ok">{done.value}</p>}
    </Section>
  )
}
