// A new password by a mailed link: for one that was forgotten, or the first one of somebody who was invited.
import { post } from '../api.ts'
import { Form, textOf } from '../app/form.tsx'
import { NewPassword } from '../app/password-field.tsx'
import { goTo, place } from '../app/place.ts'
import { Sheet } from '../app/sheet.tsx'
import { useAction } from '../app/use-action.ts'
import { recheck } from '../identity/session.ts'

export function Reset() {
  const { secrets } = place.value
  const token = secrets.get('token')
  return token ? <Choose token={token} invited={secrets.get('kind') === 'invitation'} /> : <Useless />
}

function Choose({ token, invited }: { token: string; invited: boolean }) {
  const action = useAction(async (form: FormData) => {
    await post('/auth/password/reset', { token, password: textOf(form, 'password') })
    // Every session of the account has ended, perhaps the one in this browser too; an invitation may have opened one.
    await recheck()
    goTo('/app/sign-in', { replace: true, kept: { done: 'reset' } })
  })
  const refused = action.failure.value
  if (refused?.code === 'link_invalid') return <Useless />
  return (
    <Sheet title={invited ? 'Welcome. Choose a password' : 'Choose a new password'}>
      <p>
        {invited
          ? 'You were invited to work with Cowrie. With a password the account is yours.'
          : 'You will be signed out everywhere else.'}
      </p>
      <Form
        action={action}
        submit="Set password"
        busy="Setting the password …"
        fields={['password']}
        back="password"
        quiet={['weak_password']}
      >
        <NewPassword label="New password" refused={refused} />
      </Form>
    </Sheet>
  )
}

const Useless = () => (
  <Sheet title="This link does not work">
    <p>It has expired, was used already, or a newer one was sent. Ask for another.</p>
    <p class="onward">
      <a href="/app/forgot">Send a new link</a>
    </p>
  </Sheet>
)
