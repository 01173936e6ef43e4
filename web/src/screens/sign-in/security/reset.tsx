// Sets a password from a mailed link, after a reset or an invitation.
import { api } from '../../../data/api.ts'
import { reloadAfterSwitch } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { appLocation, navigate } from '../../../router/location.ts'
import { Page } from '../../../ui/base/sheet.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { NewPasswordForm } from '../../../ui/input/new-password-form.tsx'

export default function Reset() {
  const { secrets } = appLocation.value
  const token = secrets.get('token')
  if (!token) return <InvalidLink />
  return <Choose key={token} token={token} invited={secrets.get('kind') === 'invitation'} />
}

function Choose({ token, invited }: { token: string; invited: boolean }) {
  const action = useAction(async (form: FormData) => {
    await api.auth.password.reset({ token, password: textOf(form, 'password') })
    // Every session of the account has ended, maybe the one of this browser; an invitation may have opened one.
    await reloadAfterSwitch()
    navigate('/app/sign-in', { replace: true, state: { done: 'reset' } })
  })
  if (action.failure.value?.code === 'link_invalid') return <InvalidLink />
  return (
    <Page title={invited ? t('Choose a password') : t('Choose a new password')} width="narrow">
      <p>
        {invited
          ? t('You were invited to Cowrie. Choose a password to open your account.')
          : t('You will be signed out everywhere else.')}
      </p>
      <NewPasswordForm
        action={action}
        submit={t('Set password')}
        busy={t('Setting the password …')}
        label={t('New password')}
      />
    </Page>
  )
}

const InvalidLink = () => (
  <Page title={t('This link does not work')} width="narrow">
    <p>{t('It has expired, was used, or was replaced by a newer one. Request another.')}</p>
    <p class="onward">
      <a href="/app/forgot">{t('Send a new link')}</a>
    </p>
  </Page>
)
