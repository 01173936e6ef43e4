// The second step of a sign-in: a code from the authenticator, or one of the recovery codes.
import { useSignal } from '@preact/signals'
import { post } from '../api.ts'
import { CodeField } from '../app/code-field.tsx'
import { Form, textOf } from '../app/form.tsx'
import { place } from '../app/place.ts'
import { Sheet } from '../app/sheet.tsx'
import { useAction } from '../app/use-action.ts'
import { type Entered, enter } from './enter.ts'

export function SecondFactor() {
  const challenge = place.value.secrets.get('challenge')
  return challenge ? <Question challenge={challenge} /> : <Over />
}

function Question({ challenge }: { challenge: string }) {
  const recovery = useSignal(false)
  const action = useAction(async (form: FormData) => {
    await enter(await post<Entered>('/auth/mfa/challenge', { challenge, code: textOf(form, 'code') }))
  })
  const refused = action.failure.value
  if (refused?.code === 'challenge_ended') return <Over />
  return (
    <Sheet title="One more step">
      <Form
        action={action}
        submit="Sign in"
        busy="Signing in …"
        fields={['code']}
        back="code"
        quiet={['wrong_code']}
      >
        <CodeField refused={refused} recovery={recovery.value} />
      </Form>
      <p class="onward">
        <button
          type="button"
          class="plain"
          onClick={() => {
            recovery.value = !recovery.value
            document.getElementById('code')?.focus()
          }}
        >
          {recovery.value ? 'Use the authenticator app' : 'Use a recovery code'}
        </button>
      </p>
      <p class="onward">
        <a href="/app/sign-in">Start again</a>
      </p>
    </Sheet>
  )
}

const Over = () => (
  <Sheet title="This sign-in has ended">
    <p>It took too long, had too many wrong codes, or was opened in another window.</p>
    <p class="onward">
      <a href="/app/sign-in">Start again</a>
    </p>
  </Sheet>
)
