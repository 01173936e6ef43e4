// The sign-in form with all methods of the service. They share one email field.

import { api } from '../../data/api.ts'
import { ApiFailure } from '../../data/failure.ts'
import { type AuthConfig, authConfig } from '../../data/service-info.ts'
import { type Action, useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { appLocation } from '../../router/location.ts'
import { withNext } from '../../router/return-address.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { EmailField, emailOf } from '../../ui/form/email-field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'
import { FormPlaceholder } from '../../ui/form/form-placeholder.tsx'
import { CurrentPassword } from '../../ui/input/password-field.tsx'
import { likelyCountry } from '../../ui/money/countries.ts'
import { goToMail } from './check-mail.tsx'
import { completeSignIn } from './complete-sign-in.ts'
import { GithubSignIn, OtherMethods, SsoSignIn } from './other-ways.tsx'
import { RegistrationClosed } from './registration-closed.tsx'
import { doneText, problemText } from './sign-in-problems.ts'
import { SiteLinks } from './site-links.tsx'

export default function SignIn() {
  const config = authConfig.current.value
  return (
    <Page title={t('Sign in')} width="narrow">
      {config.state === 'loading' && (
        <div aria-busy="true">
          <FormPlaceholder />
        </div>
      )}
      {config.state === 'failed' && <ErrorNotice failure={config.failure} retry={authConfig.load} />}
      {config.state === 'ready' && <Methods config={config.value} />}
      <SiteLinks />
    </Page>
  )
}

/** The result of a sign-in that returned from another page. */
function ReturnMessage() {
  const { query, state: stored } = appLocation.value
  const done = doneText(stored.done ?? query.get('done'))
  const problem = problemText(query.get('problem'))
  if (problem) return <p class="note bad">{problem}</p>
  return done ? <p class="note ok">{done}</p> : null
}

function Methods({ config: { methods, signupsEnabled } }: { config: AuthConfig }) {
  const action = useAction(signIn)
  if (methods.length === 0)
    return <p>{t('No sign-in method is available. Contact the operator of this service.')}</p>
  if (action.failure.value?.code === 'sso_required') return <SsoSignIn back={action.reset} />
  if (!methods.includes('password'))
    return (
      <>
        <ReturnMessage />
        <OtherMethods methods={methods} alone />
      </>
    )
  return (
    <>
      <ReturnMessage />
      <GithubSignIn country={likelyCountry(navigator.languages)} />
      <PasswordForm action={action} />
      <OtherMethods methods={methods} />
      <RegisterLink welcome={signupsEnabled} />
    </>
  )
}

const PasswordForm = ({ action }: { action: Action<[FormData]> }) => (
  <Form
    action={action}
    submit={t('Sign in')}
    busy={t('Signing in …')}
    fields={['email', 'password']}
    back="password"
  >
    <EmailField failure={action.failure.value} />
    <CurrentPassword
      failure={action.failure.value}
      help={<a href={withNext('/app/forgot')}>{t('Forgot your password?')}</a>}
    />
  </Form>
)

async function signIn(form: FormData): Promise<void> {
  const email = emailOf(form)
  const answer = await api.auth
    .login({ email, password: textOf(form, 'password') })
    .catch((error: unknown) => {
      if (!(error instanceof ApiFailure) || error.code !== 'verification_required') throw error
      return null
    })
  if (answer) await completeSignIn(answer)
  else goToMail({ email, about: 'unverified' })
}

const RegisterLink = ({ welcome }: { welcome: boolean }) =>
  welcome ? (
    <p class="onward">
      <Trans
        text="New here? {link}"
        link={<a href={withNext('/app/register')}>{t('Create an account')}</a>}
      />
    </p>
  ) : (
    <RegistrationClosed />
  )
