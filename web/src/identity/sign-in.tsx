// The ways into the service, as it offers them.
import { useSignal } from '@preact/signals'
import type { TargetedSubmitEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ApiFailure } from '../api.ts'
import { Refusal } from '../app/refusal.tsx'
import { asFailure } from '../app/resource.ts'
import { authConfig } from '../app/service.ts'
import { signInForDevelopment } from './session.ts'

const WAYS: Record<string, string> = {
  password: 'Email and password',
  magic_link: 'A link by email',
  totp: 'A code from your authenticator',
  oidc: 'Single sign-on (OpenID Connect)',
  saml: 'Single sign-on (SAML)',
  dev: 'Development sign-in',
}

export function SignIn() {
  const config = authConfig.current.value
  return (
    <section class="sheet sign-in" aria-labelledby="sign-in-title" aria-busy={config.state === 'loading'}>
      <h2 id="sign-in-title">Sign in</h2>
      <div class="sign-in-body">
        {config.state === 'loading' && <FormPlaceholder />}
        {config.state === 'failed' && <Refusal failure={config.failure} retry={authConfig.load} />}
        {config.state === 'ready' && <Ways methods={config.value.methods} />}
      </div>
    </section>
  )
}

function Ways({ methods }: { methods: readonly string[] }) {
  if (methods.length === 0) return <p>No way to sign in is switched on here. Ask whoever runs this service.</p>
  return (
    <>
      {methods.includes('dev') && <DevelopmentForm />}
      <h3 class="small-title">Switched on here</h3>
      <ul class="steps">
        {methods.map((method) => (
          <li key={method}>{WAYS[method] ?? method}</li>
        ))}
      </ul>
    </>
  )
}

/** For development only: an address is enough, and the service says so by offering it. */
function DevelopmentForm() {
  const busy = useSignal(false)
  const failure = useSignal<ApiFailure | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const faulty = failure.value?.fields.find(({ path }) => path === 'email')
  useEffect(() => {
    if (failure.value) input.current?.focus()
  }, [failure.value])

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy.value) return
    busy.value = true
    failure.value = null
    try {
      await signInForDevelopment(input.current?.value.trim() ?? '')
    } catch (error) {
      failure.value = asFailure(error)
    } finally {
      busy.value = false
    }
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
        aria-invalid={faulty !== undefined}
      />
      <p id="email-help" class="help">
        {faulty ? <span class="bad">Email {faulty.message}.</span> : 'Any address opens an account here, without a password.'}
      </p>
      {failure.value && !faulty && <Refusal failure={failure.value} />}
      <button type="submit" class="primary" aria-disabled={busy.value}>
        {busy.value ? 'Signing in …' : 'Sign in'}
      </button>
    </form>
  )
}

/** As tall as the form that follows, so that nothing moves when it arrives. */
function FormPlaceholder() {
  return (
    <div class="form-placeholder" aria-hidden="true">
      <span class="blank line" />
      <span class="blank control" />
      <span class="blank line" />
      <span class="blank control" />
    </div>
  )
}
