// Sign-in for development: an address is enough. The service only takes it where it is switched on.
import type { TargetedSubmitEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Refusal } from '../app/refusal.tsx'
import { useAction } from '../app/use-action.ts'
import { signInForDevelopment } from './session.ts'

export function DevelopmentSignIn() {
  const { run, busy, failure } = useAction(signInForDevelopment)
  const input = useRef<HTMLInputElement>(null)
  const refused = failure.value
  const fault = refused?.fields.find(({ path }) => path === 'email')
  useEffect(() => {
    if (refused) input.current?.focus()
  }, [refused])

  function submit(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    void run(input.current?.value.trim() ?? '')
  }

  return (
    <form onSubmit={submit}>
      <label for="email">Email</label>
      <input
        ref={input}
        id="email"
        name="email"
        type="email"
        autocomplete="email"
        required
        maxLength={254}
        dir="auto"
        spellcheck={false}
        aria-describedby="email-help"
        aria-invalid={fault !== undefined}
      />
      <p id="email-help" class="help">
        {fault ? (
          <span class="bad">This {fault.message}.</span>
        ) : (
          'Any address opens an account here, without a password.'
        )}
      </p>
      {refused && !fault && <Refusal failure={refused} />}
      <button type="submit" class="primary" aria-disabled={busy.value}>
        {busy.value ? 'Signing in …' : 'Sign in'}
      </button>
    </form>
  )
}

/** As tall as the form that follows, so that nothing moves when it arrives. */
export const FormPlaceholder = () => (
  <div class="form-placeholder" aria-hidden="true">
    <span class="blank line" />
    <span class="blank control" />
    <span class="blank line" />
    <span class="blank control" />
  </div>
)
