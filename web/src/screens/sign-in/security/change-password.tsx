import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { session } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { announce } from '../../../ui/base/announcer.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { Form, textOf } from '../../../ui/form/form.tsx'
import { CurrentPassword, NewPassword } from '../../../ui/input/password-field.tsx'

export function ChangePassword() {
  const changed = useSignal(0)
  const action = useAction(async (form: FormData) => {
    await api.auth.password.change({
      currentPassword: textOf(form, 'currentPassword'),
      newPassword: textOf(form, 'newPassword'),
    })
    changed.value += 1
    announce(t('Your password is changed.'))
  })
  const failure = action.failure.value
  return (
    <Section title={t('Password')}>
      <p class="help">
        {changed.value > 0 ? (
          <span class="ok">{t('Your password is changed. All other sessions have ended.')}</span>
        ) : (
          <Trans
            text="Signed up with a link or single sign-on? {link}."
            link={<a href="/app/forgot">{t('Get a password by email')}</a>}
          />
        )}
      </p>
      {/* Remount after each change, with empty fields. */}
      <Form
        key={changed.value}
        action={action}
        submit={t('Change password')}
        busy={t('Changing …')}
        fields={['currentPassword', 'newPassword']}
        back="currentPassword"
        quiet={['weak_password', 'wrong_credentials']}
      >
        {/* Password managers need the account name. */}
        <input
          class="unseen"
          name="username"
          autocomplete="username"
          readOnly
          tabIndex={-1}
          aria-hidden="true"
          value={session.value.state === 'in' ? session.value.me.email : ''}
        />
        <CurrentPassword
          name="currentPassword"
          label={t('Current password')}
          failure={failure}
          error={failure?.code === 'wrong_credentials' ? t('Wrong password.') : null}
        />
        <NewPassword name="newPassword" label={t('New password')} failure={failure} />
      </Form>
    </Section>
  )
}
