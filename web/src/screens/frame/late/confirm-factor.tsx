// Shows the second factor again: a code or a passkey. It may stand inside a form, so it renders no form.
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { reloadSession, session } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { errorText } from '../../../ui/base/error-text.ts'
import { canUsePasskeys, usePasskey } from '../../shared/passkey.ts'

export function ConfirmFactor() {
  const code = useSignal('')
  const confirmed = useSignal(false)
  const id = useId()
  const done = async () => {
    confirmed.value = true
    announce(t('Confirmed. Repeat your action.'))
    await reloadSession()
  }
  const withCode = useAction(async () => {
    await api.auth.stepUp.confirm({ code: code.value.trim() })
    await done()
  })
  const withPasskey = useAction(async () => {
    const response = await usePasskey(await api.auth.stepUp.options())
    if (!response) return
    await api.auth.stepUp.confirm({ response })
    await done()
  })
  if (confirmed.value) return <p class="ok">{t('Confirmed. Repeat your action.')}</p>
  const { value } = session
  const hasApp = value.state === 'in' && value.me.mfaEnabled
  const failure = withCode.failure.value ?? withPasskey.failure.value
  return (
    <div class="confirm-factor">
      {failure && <p class="bad">{errorText(failure)}</p>}
      {hasApp && (
        <p class="field">
          <label for={id}>{t('Code')}</label>
          <input
            id={id}
            class="code"
            dir="ltr"
            maxLength={40}
            autocomplete="one-time-code"
            inputMode="numeric"
            value={code.value}
            onInput={({ currentTarget }) => {
              code.value = currentTarget.value
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // The form around it must not be sent.
              event.preventDefault()
              void withCode.run()
            }}
          />
        </p>
      )}
      <div class="choices">
        {hasApp && (
          <button type="button" aria-disabled={withCode.busy.value} onClick={() => void withCode.run()}>
            {t('Confirm')}
          </button>
        )}
        {canUsePasskeys() && (
          <button type="button" aria-disabled={withPasskey.busy.value} onClick={() => void withPasskey.run()}>
            {t('Use a passkey')}
          </button>
        )}
      </div>
      {!hasApp && (
        <p>
          <a href="/app/security">{t('Set up an authenticator app or a passkey')}</a>
        </p>
      )}
    </div>
  )
}
