// An invitation to the staff of the service: accepted by whoever holds the mailed link, after a press.
import { useSignal } from '@preact/signals'
import { ApiFailure, api } from '../api.ts'
import { textOf } from '../app/form.tsx'
import { NewPasswordForm } from '../app/new-password-form.tsx'
import { place } from '../app/place.ts'
import { Sheet } from '../app/sheet.tsx'
import { useAction } from '../app/use-action.ts'

const TIERS: Record<string, string> = {
  support: 'support',
  billing: 'billing',
  compliance: 'compliance',
  operator: 'operator',
  super_admin: 'super administrator',
}

export default function AcceptInvite() {
  const token = place.value.secrets.get('token')
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
    <Useless />
  )
}

function Invitation({ token, onAccepted }: { token: string; onAccepted: (role: string) => void }) {
  // Whether the address has an account is told only to who holds the link: the first answer asks for a password or not.
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
  if (action.failure.value?.code === 'invite_invalid') return <Useless />
  return (
    <Sheet title="Join the staff of Cowrie">
      <p>
        {wantsPassword.value
          ? 'There is no account for your address yet. Choose a password for it.'
          : 'You were invited to help run this service. Everything staff do is recorded.'}
      </p>
      <NewPasswordForm
        action={action}
        submit="Accept the invitation"
        busy="Accepting …"
        asked={wantsPassword.value}
      />
    </Sheet>
  )
}

const Welcome = ({ role }: { role: string }) => (
  <Sheet title="Welcome to the staff">
    <p>Your account now has the tier “{TIERS[role] ?? role}”.</p>
    <p class="onward">
      <a href="/app">Go on</a>
    </p>
  </Sheet>
)

const Useless = () => (
  <Sheet title="This invitation does not work">
    <p>It has expired, was used already or was taken back. Ask whoever invited you for another.</p>
    <p class="onward">
      <a href="/app">Go to the start</a>
    </p>
  </Sheet>
)
