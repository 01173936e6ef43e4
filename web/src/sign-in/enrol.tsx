// Setting up an authenticator app: by picture from another screen, by link on the same phone, or by typing.
import { useEffect } from 'preact/hooks'
import { api } from '../api.ts'
import { CodeForm } from '../app/code-form.tsx'
import { Copyable } from '../app/copy.tsx'
import { textOf } from '../app/form.tsx'
import { useAction } from '../app/use-action.ts'

export type Enrolment = { secret: string; otpauthUrl: string; qrSvg: string }
type Props = { enrolment: Enrolment; onCodes: (codes: string[]) => void; onCancel: () => void }

export function Enrol({ enrolment: { secret, otpauthUrl, qrSvg }, onCodes, onCancel }: Props) {
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
        Scan this with your authenticator app
      </h3>
      {/* An image runs no scripts, whatever the markup in it says. */}
      <img
        class="qr"
        width="200"
        height="200"
        src={`data:image/svg+xml,${encodeURIComponent(qrSvg)}`}
        alt="QR code that carries the secret below to your authenticator app"
      />
      <p>
        On this phone? <a href={otpauthUrl}>Open it in your authenticator app</a>. Or type the secret:
      </p>
      <Copyable text={secret} shown={inFours(secret)} label="the secret" />
      <CodeForm action={action} submit="Switch it on" busy="Checking …" />
      <div class="choices">
        <button type="button" onClick={onCancel}>
          Not now
        </button>
      </div>
    </div>
  )
}

const inFours = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ')
