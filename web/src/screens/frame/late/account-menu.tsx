// The user: who is signed in, what belongs to this person, and the way out.
import { session, signOut } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Icon } from '../../../ui/base/icon.tsx'
import { typedEmail } from '../../../ui/form/email-field.tsx'

export default function AccountMenu() {
  const { value } = session
  const { run, busy, failure } = useAction(async () => {
    await signOut()
    // The next user of this device must not see the address.
    typedEmail.value = ''
  })
  if (value.state !== 'in') return null
  return (
    <>
      <p class="menu-who">
        <span class="small-title">{t('Signed in as')}</span>
        <bdi>{value.me.email}</bdi>
      </p>
      <hr />
      <a href="/app/settings">
        <Icon name="settings" />
        {t('Appearance and language')}
      </a>
      <a href="/app/security">
        <Icon name="lock" />
        {t('Security')}
      </a>
      <a href="/app/sessions">
        <Icon name="device" />
        {t('Sessions')}
      </a>
      {value.me.staffRole !== null && (
        <a href="/app/ops">
          <Icon name="chart" />
          {t('Staff console')}
        </a>
      )}
      <hr />
      {failure.value && <ErrorNotice failure={failure.value} />}
      <button
        type="button"
        aria-disabled={busy.value}
        onClick={(event) => {
          // An error is shown in the open menu.
          event.stopPropagation()
          void run()
        }}
      >
        {busy.value ? t('Signing out …') : t('Sign out')}
      </button>
    </>
  )
}
