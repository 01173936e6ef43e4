// For what a session may do only at its beginning: out, and back to the same screen.
import { useAction } from '../app/use-action.ts'
import { wordsFor } from '../app/words.ts'
import { t } from '../i18n/t.ts'
import { signOut } from './session.ts'

export function SignInAgain() {
  const { run, busy, failure } = useAction(signOut)
  return (
    <>
      {failure.value && <p>{wordsFor(failure.value)}</p>}
      <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
        {busy.value ? t('Signing out …') : t('Sign in again')}
      </button>
    </>
  )
}
