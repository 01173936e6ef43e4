import { useSignal } from '@preact/signals'
import { api } from '../api.ts'
import { announce } from '../app/announcer.tsx'
import { Form, textOf } from '../app/form.tsx'
import { CurrentPassword, NewPassword } from '../app/password-field.tsx'
import { Part } from '../app/sheet.tsx'
import { useAction } from '../app/use-action.ts'
import { session } from '../identity/session.ts'

export function ChangePassword() {
  const changed = useSignal(0)
  const action = useAction(async (form: FormData) => {
    await api.auth.password.change({
      currentPassword: textOf(form, 'currentPassword'),
      newPassword: textOf(form, 'newPassword'),
    })
    changed.value += 1
    announce('Your password is changed.')
  })
  const refused = action.failure.value
  return (
    <Part title="Password">
      <p class="help">
        {changed.value > 0 ? (
          <span class="ok">Your password is changed. All other sessions have ended.</span>
        ) : (
          <>
            Signed up with a link or single sign-on? <a href="/app/forgot">Get a password by mail</a>.
          </>
        )}
      </p>
      {/* Begins anew after each change, with empty fields. */}
      <Form
        key={changed.value}
        action={action}
        submit="Change password"
        busy="Changing …"
        fields={['currentPassword', 'newPassword']}
        back="currentPassword"
        quiet={['weak_password', 'wrong_credentials']}
      >
        {/* Password managers want to know whose it is. */}
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
          label="Current password"
          refused={refused}
          fault={refused?.code === 'wrong_credentials' ? 'This is not your password.' : null}
        />
        <NewPassword name="newPassword" label="New password" refused={refused} />
      </Form>
    </Part>
  )
}
