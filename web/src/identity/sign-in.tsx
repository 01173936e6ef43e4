// The ways into the service, as it offers them.
import { Refusal } from '../app/refusal.tsx'
import { authConfig } from '../app/service.ts'
import { DevelopmentSignIn, FormPlaceholder } from './development-sign-in.tsx'

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
      {config.state === 'loading' && <FormPlaceholder />}
      {config.state === 'failed' && <Refusal failure={config.failure} retry={authConfig.load} />}
      {config.state === 'ready' && <Ways methods={config.value.methods} />}
    </section>
  )
}

function Ways({ methods }: { methods: readonly string[] }) {
  if (methods.length === 0)
    return <p>No way to sign in is switched on here. Ask whoever runs this service.</p>
  return (
    <>
      {methods.includes('dev') && <DevelopmentSignIn />}
      <h3 class="small-title">Switched on here</h3>
      <ul class="steps">
        {methods.map((method) => (
          <li key={method}>{WAYS[method] ?? method}</li>
        ))}
      </ul>
    </>
  )
}
