// Switches two-step sign-in on and off.
import type { MfaEnrolment } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { reloadSession, session } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { CodeForm } from '../../../ui/input/code-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpAuthenticator } from './set-up-authenticator.tsx'

type Step =
  | { at: 'rest' }
  | { at: 'enrolling'; enrolment: MfaEnrolment }
  | { at: 'codes'; codes: string[] }
  | { at: 'disabling' }
  | { at: 'renewing' }

export function Mfa() {
  const step = useSignal<Step>({ at: 'rest' })
  const { value } = session
  const current = step.value
  // The result of the last action counts even if the session cannot be reloaded.
  const decided = useSignal<boolean | null>(null)
  const isOn = decided.value ?? (value.state === 'in' && value.me.mfaEnabled)
  const go = (next: Step) => {
    if (next.at === 'codes') decided.value = true
    step.value = next
  }
  const rest = () => {
    go({ at: 'rest' })
    document.getElementById('screen-title')?.focus()
  }
  return (
    <Section title={t('Two-step sign-in')}>
      <p>
        {isOn ? (
          <>
            <span class="ok">{t('On')}</span> {t('You enter a code from your phone after your password.')}
          </>
        ) : (
          t('Off. Turn it on to require a code from your phone after your password.')
        )}
      </p>
      {current.at === 'rest' && (isOn ? <WhenOn go={go} /> : <WhenOff go={go} />)}
      {current.at === 'enrolling' && (
        <SetUpAuthenticator
          enrolment={current.enrolment}
          onCancel={rest}
          onCodes={(codes) => go({ at: 'codes', codes })}
        />
      )}
      {current.at === 'codes' && (
        <RecoveryCodes
          codes={current.codes}
          onSaved={async () => {
            // Only now: a failed reload replaces the screen, and the codes are shown once.
            await reloadSession()
            rest()
          }}
        />
      )}
      {current.at === 'disabling' && (
        <WithCode
          ask={api.auth.mfa.disable}
          submit={t('Turn off')}
          onCancel={rest}
          onDone={async () => {
            decided.value = false
            await reloadSession()
            rest()
            announce(t('Two-step sign-in is off.'))
          }}
        />
      )}
      {current.at === 'renewing' && (
        <WithCode
          ask={api.auth.mfa.recoveryCodes}
          submit={t('Create new codes')}
          onCancel={rest}
          onDone={async ({ recoveryCodes }) => go({ at: 'codes', codes: recoveryCodes })}
        />
      )}
    </Section>
  )
}

function WhenOff({ go }: { go: (step: Step) => void }) {
  const { run, busy, failure } = useAction(async () => {
    go({ at: 'enrolling', enrolment: await api.auth.mfa.enroll() })
  })
  return (
    <>
      {failure.value && <ErrorNotice failure={failure.value} />}
      <div class="choices">
        <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
          {t('Set up an authenticator app')}
        </button>
      </div>
    </>
  )
}

const WhenOn = ({ go }: { go: (step: Step) => void }) => (
  <div class="choices">
    <button type="button" onClick={() => go({ at: 'renewing' })}>
      {t('New recovery codes')}
    </button>
    <button type="button" onClick={() => go({ at: 'disabling' })}>
      {t('Turn off')}
    </button>
  </div>
)

type WithCodeProps<T> = {
  ask: (body: { code: string }) => Promise<T>
  submit: string
  onCancel: () => void
  onDone: (answer: T) => Promise<void>
}

/** Asks for a code again, because someone else may be using the open browser. */
function WithCode<T>({ ask, submit, onCancel, onDone }: WithCodeProps<T>) {
  const action = useAction(async (form: FormData) => {
    await onDone(await ask({ code: textOf(form, 'code') }))
  })
  useEffect(() => document.getElementById('code')?.focus(), [])
  return (
    <>
      <CodeForm action={action} submit={submit} busy={t('Checking …')} />
      <div class="choices">
        <button type="button" onClick={onCancel}>
          {t('Go back')}
        </button>
      </div>
    </>
  )
}
