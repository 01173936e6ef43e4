// A mailed link. Mail scanners open links too, so nothing happens before the user presses the button.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { api } from '../../data/api.ts'
import { moved, session } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { Say } from '../../i18n/message.tsx'
import { t } from '../../i18n/t.ts'
import { goTo, place } from '../../router/location.ts'
import { Refusal } from '../../ui/base/error-notice.tsx'
import { Sheet } from '../../ui/base/sheet.tsx'
import { isPassing } from '../../ui/form/form.tsx'
import { enter } from './complete-sign-in.ts'
import { problemWords } from './sign-in-problems.ts'

export default function LinkOpened() {
  const { secrets } = place.value
  const token = secrets.get('token')
  if (!token) return <Useless words={problemWords(secrets.get('problem'))} />
  const kind = secrets.get('kind')
  if (kind === 'verify') return <Verify key={token} token={token} />
  return kind === 'leave' ? <Leave key={token} token={token} /> : <Magic key={token} token={token} />
}

function Leave({ token }: { token: string }) {
  const isOut = useSignal(false)
  if (isOut.value)
    return (
      <Sheet title={t('You have left the team')}>
        <p>{t('Your account and your other teams stay as they are.')}</p>
      </Sheet>
    )
  return (
    <Press
      title={t('Leave this team')}
      button={t('Leave the team')}
      act={async () => {
        await api.teams.leaveByLink({ token })
        isOut.value = true
        await moved()
      }}
    >
      <p>{t('You were added to a team. Pressing the button takes you out of it; you need not sign in.')}</p>
    </Press>
  )
}

function Magic({ token }: { token: string }) {
  return (
    <Press
      title={t('Sign in with this link')}
      button={t('Sign in')}
      act={async () => {
        const answer = await api.auth.magic.consume({ token })
        await enter(answer)
        if (!('mfaRequired' in answer)) goTo('/app', { replace: true })
      }}
    >
      <p>{t('Pressing the button signs you in on this device. The link works once.')}</p>
      <Replaced />
    </Press>
  )
}

function Verify({ token }: { token: string }) {
  return (
    <Press
      title={t('Confirm your email address')}
      button={t('Confirm')}
      act={async () => {
        await api.auth.verify({ token })
        await moved()
        goTo('/app/sign-in', { replace: true, kept: { done: 'verified' } })
      }}
    >
      <p>
        {t('Pressing the button says that the address which got this mail is yours, and opens the account.')}
      </p>
    </Press>
  )
}

type PressProps = { title: string; button: string; act: () => Promise<void>; children: ComponentChildren }

function Press({ title, button, act, children }: PressProps) {
  const { run, busy, failure } = useAction(act)
  const refused = failure.value
  if (refused?.code === 'link_invalid') return <Useless words={refused.message} />
  return (
    <Sheet title={title}>
      {children}
      <p class="help">{t('If you did not ask for this, close the page: then nothing happens.')}</p>
      {refused && <Refusal failure={refused} retry={isPassing(refused) ? run : undefined} />}
      <div class="ways">
        <button type="button" class="primary" aria-disabled={busy.value} onClick={() => void run()}>
          {busy.value ? t('One moment …') : button}
        </button>
      </div>
    </Sheet>
  )
}

/** Signing in replaces the current session. */
function Replaced() {
  const { value } = session
  if (value.state !== 'in') return null
  return (
    <p>
      <Say text="You are signed in as {address}. That session ends." address={<bdi>{value.me.email}</bdi>} />
    </p>
  )
}

const Useless = ({ words }: { words: string | null }) => (
  <Sheet title={t('This link does not work')}>
    <p>{words ?? t('Links work once. Open it from the mail again, or ask for a new one.')}</p>
    <p class="onward">
      <a href="/app/sign-in">{t('Go to sign-in')}</a>
    </p>
  </Sheet>
)
