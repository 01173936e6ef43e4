// Accepts an invitation to the staff, after a press.
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { ApiFailure } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { msg, t } from '../../i18n/t.ts'
import { appLocation } from '../../router/location.ts'
import { Page } from '../../ui/base/sheet.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { NewPasswordForm } from '../../ui/input/new-password-form.tsx'

const TIERS: Record<string, string> = {
  support: msg('support'),
  billing: msg('billing'),
  compliance: msg('compliance'),
  operator: msg('operator'),
  super_admin: msg('super administrator'),
}

export default function AcceptInvite() {
  const token = appLocation.value.secrets.get('token')
  const role = useSignal<string | null>(null)
  if (role.value !== null) return <Welcome role={role.value} />
  return token ? (
    <Invitation
      key={token}
      token={token}
      onAccepted={(given) => {
        role.value = given
      }}
    />
  ) : (
    <InvalidLink />
  )
}

function Invitation({ token, onAccepted }: { token: string; onAccepted: (role: string) => void }) {
  // Only the holder of the link learns whether the address has an account: the first response tells if a password is needed.
  const wantsPassword = useSignal(false)
  const action = useAction(async (form: FormData) => {
    const password = textOf(form, 'password')
    const body = { token, ...(password && { password }) }
    const answer = await api.auth.operatorInvite.accept(body).catch((error: unknown) => {
      if (!(error instanceof ApiFailure) || error.code !== 'password_required' || wantsPassword.value)
        throw error
      wantsPassword.value = true
      return null
    })
    if (answer) onAccepted(answer.role)
  })
  if (action.failure.value?.code === 'invite_invalid') return <InvalidLink />
  return (
    <Page title={t('Join the staff of Cowrie')} width="narrow">
      <p>
        {wantsPassword.value
          ? t('Your address has no account yet. Choose a password.')
          : t('You were invited to join the staff. All staff actions are recorded.')}
      </p>
      <NewPasswordForm
        action={action}
        submit={t('Accept invitation')}
        busy={t('Accepting …')}
        asked={wantsPassword.value}
      />
    </Page>
  )
}

const Welcome = ({ role }: { role: string }) => (
  <Page title={t('Welcome to the staff')} width="narrow">
    <p>{t('Your account now has the tier “{tier}”.', { tier: t(TIERS[role] ?? role) })}</p>
    <p class="onward">
      <a href="/app">{t('Continue')}</a>
    </p>
  </Page>
)

const InvalidLink = () => (
  <Page title={t('This invitation does not work')} width="narrow">
    <p>{t('It has expired, was used or was withdrawn. Ask for a new invitation.')}</p>
    <p class="onward">
      <a href="/app">{t('Go to home')}</a>
    </p>
  </Page>
)
