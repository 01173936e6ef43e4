// The passkeys of the account.
import type { Passkey } from '@cowrie/sdk'
import { api } from '../../../data/api.ts'
import { type Resource, useResource } from '../../../data/resource.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Listing } from '../../../ui/base/listing.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { ConfirmButton } from '../../../ui/input/confirm-button.tsx'
import { browserName } from '../../identity/browser-name.ts'
import { canUsePasskeys, createPasskey } from '../../shared/passkey.ts'

type List = { passkeys: Passkey[] }

export function Passkeys() {
  const passkeys = useResource('passkeys', () => api.auth.passkeys.list())
  return (
    <Section title={t('Passkeys')}>
      <p>{t('Sign in with your fingerprint, face or screen lock instead of a password.')}</p>
      <Listing from={passkeys} items={(list) => list.passkeys} empty={t('None yet.')}>
        {(passkey) => <Row passkey={passkey} passkeys={passkeys} />}
      </Listing>
      {canUsePasskeys() ? (
        <Add passkeys={passkeys} />
      ) : (
        <p class="help">{t('This browser does not support passkeys. Use another browser.')}</p>
      )}
    </Section>
  )
}

function Add({ passkeys }: { passkeys: Resource<List> }) {
  const { run, busy, failure } = useAction(async () => {
    const response = await createPasskey(await api.auth.passkeys.options())
    if (!response) return
    await api.auth.passkeys.add({ name: browserName(navigator.userAgent), response })
    await passkeys.load()
    announce(t('The passkey is added.'))
  })
  return (
    <>
      {failure.value && <ErrorNotice failure={failure.value} />}
      <div class="choices">
        <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
          {busy.value ? t('Adding …') : t('Add a passkey')}
        </button>
      </div>
    </>
  )
}

const Row = ({ passkey, passkeys }: { passkey: Passkey; passkeys: Resource<List> }) => (
  <div class="row">
    <div>
      <p class="row-name">
        <bdi>{passkey.name}</bdi>
      </p>
      <p class="help">
        {t('Added {time}', { time: formatDateTime(passkey.createdAt) })} ·{' '}
        {passkey.lastUsedAt
          ? t('used {time}', { time: formatDateTime(passkey.lastUsedAt) })
          : t('never used')}
      </p>
    </div>
    <ConfirmButton
      label={t('Remove')}
      name={passkey.name}
      question={t('Remove “{name}”?', { name: passkey.name })}
      act={async () => {
        await api.auth.passkeys.remove(passkey.id)
        await passkeys.load()
        announce(t('The passkey is removed.'))
        document.getElementById('screen-title')?.focus()
      }}
    >
      <p>{t('It no longer signs you in. Delete it on the device too.')}</p>
    </ConfirmButton>
  </div>
)
