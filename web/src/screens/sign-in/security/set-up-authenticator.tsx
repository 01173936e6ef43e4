// Sets up an authenticator app: by QR code, by link on the same phone, or by typing.
import type { MfaEnrolment } from '@cowrie/sdk'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { Copyable } from '../../../ui/base/copyable.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { CodeForm } from '../../../ui/input/code-form.tsx'

type Props = { enrolment: MfaEnrolment; onCodes: (codes: string[]) => void; onCancel: () => void }

export function SetUpAuthenticator({ enrolment: { secret, otpauthUrl, qrSvg }, onCodes, onCancel }: Props) {
  useEffect(() => document.getElementById('enrol-title')?.focus(), [])
  const action = useAction(async (form: FormData) => {
    const { recoveryCodes } = await api.auth.mfa.verify({
      code: textOf(form, 'code'),
    })
    onCodes(recoveryCodes)
  })
  return (
    <div class="enrol">
      <h3 id="enrol-title" tabIndex={-1}>
        {t('Scan this with your authenticator app')}
      </h3>
      {/* An image never runs scripts in its markup. */}
      <img
        class="qr"
        width="200"
        height="200"
        src={`data:image/svg+xml,${encodeURIComponent(qrSvg)}`}
        alt={t('QR code for your authenticator app')}
      />
      <p>
        <Trans
          text="On this phone? {link}. Or type the secret:"
          link={<a href={otpauthUrl}>{t('Open in your authenticator app')}</a>}
        />
      </p>
      <Copyable text={secret} shown={inFours(secret)} label={t('the secret')} />
      <CodeForm action={action} submit={t('Turn on')} busy={t('Checking …')} />
      <div class="choices">
        <button type="button" onClick={onCancel}>
          {t('Not now')}
        </button>
      </div>
    </div>
  )
}

const inFours = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ')
