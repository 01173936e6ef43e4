// The second step of a sign-in: a code of the authenticator app, or a recovery code.
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { appLocation } from '../../router/location.ts'
import { withNext } from '../../router/return-address.ts'
import { Page } from '../../ui/base/sheet.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { CodeForm } from '../../ui/input/code-form.tsx'
import { completeSignIn } from './complete-sign-in.ts'

export default function SecondFactor() {
  const challenge = appLocation.value.secrets.get('challenge')
  return challenge ? <Question key={challenge} challenge={challenge} /> : <ExpiredSignIn />
}

function Question({ challenge }: { challenge: string }) {
  const recovery = useSignal(false)
  const action = useAction(async (form: FormData) => {
    await completeSignIn(await api.auth.mfa.challenge({ challenge, code: textOf(form, 'code') }))
  })
  if (action.failure.value?.code === 'challenge_ended') return <ExpiredSignIn />
  return (
    <Page title={t('One more step')} width="narrow">
      <CodeForm action={action} submit={t('Sign in')} busy={t('Signing in …')} recovery={recovery.value} />
      <p class="onward">
        <button
          type="button"
          class="plain"
          onClick={() => {
            recovery.value = !recovery.value
            document.getElementById('code')?.focus()
          }}
        >
          {recovery.value ? t('Use the authenticator app') : t('Use a recovery code')}
        </button>
      </p>
      <p class="onward">
        <a href={withNext('/app/sign-in')}>{t('Start again')}</a>
      </p>
    </Page>
  )
}

const ExpiredSignIn = () => (
  <Page title={t('This sign-in has expired')} width="narrow">
    <p>{t('It expired, had too many wrong codes, or was opened in another window.')}</p>
    <p class="onward">
      <a href={withNext('/app/sign-in')}>{t('Start again')}</a>
    </p>
  </Page>
)
