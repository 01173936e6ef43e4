import { signOut } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { typedEmail } from '../../ui/form/email-field.tsx'

export function SignOut() {
  const { run, busy, failure } = useAction(async () => {
    await signOut()
    // The next user of this device must not see the address.
    typedEmail.value = ''
  })
  return (
    <div class="actions">
      {failure.value && <ErrorNotice failure={failure.value} />}
      <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
        {busy.value ? t('Signing out …') : t('Sign out')}
      </button>
    </div>
  )
}
