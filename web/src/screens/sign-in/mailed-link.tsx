// A mailed link. Mail scanners open links too, so nothing happens before the user presses the button. Only the browser
// that registered confirms by itself: scanners do not have its cookie.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { reloadAfterSwitch, session } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { appLocation, navigate } from '../../router/location.ts'
import { storedNext } from '../../router/return-address.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { isRetryable } from '../../ui/form/form.tsx'
import { completeSignIn } from './complete-sign-in.ts'
import { problemText } from './sign-in-problems.ts'

export default function MailedLink() {
  const { secrets } = appLocation.value
  const token = secrets.get('token')
  if (!token) return <InvalidLink words={problemText(secrets.get('problem'))} />
  const kind = secrets.get('kind')
  if (kind === 'verify') return <Verify key={token} token={token} own={secrets.get('own') === '1'} />
  if (kind === 'github') return <LinkGithub key={token} token={token} />
  if (kind === 'email') return <ConfirmEmail key={token} token={token} />
  if (kind === 'email-revert') return <RevertEmail key={token} token={token} />
  return kind === 'leave' ? <Leave key={token} token={token} /> : <SignInLink key={token} token={token} />
}

function Leave({ token }: { token: string }) {
  const isOut = useSignal(false)
  if (isOut.value)
    return (
      <Page title={t('You have left the team')} width="narrow">
        <p>{t('Your account and your other teams stay as they are.')}</p>
      </Page>
    )
  return (
    <Press
      title={t('Leave this team')}
      button={t('Leave team')}
      act={async () => {
        await api.teams.leaveByLink({ token })
        isOut.value = true
        await reloadAfterSwitch()
      }}
    >
      <p>{t('You were added to a team. You can leave it without signing in.')}</p>
    </Press>
  )
}

function SignInLink({ token }: { token: string }) {
  return (
    <Press
      title={t('Sign in with this link')}
      button={t('Sign in')}
      act={async () => {
        const answer = await api.auth.magic.consume({ token })
        await completeSignIn(answer)
        if (!('mfaRequired' in answer)) navigate('/app', { replace: true })
      }}
    >
      <p>{t('Sign in on this device. The link works once.')}</p>
      <ReplacedSession />
    </Press>
  )
}

/** `own`: this browser registered. It needs no click, unless another session would end. */
function Verify({ token, own }: { token: string; own: boolean }) {
  return (
    <Press
      title={t('Confirm your email address')}
      button={own ? t('Confirm and continue') : t('Confirm')}
      unasked={own && session.value.state === 'out'}
      act={async () => {
        // The return address is cleared as soon as the session is known.
        const next = storedNext()
        const { signedIn } = await api.auth.verify({ token })
        await reloadAfterSwitch()
        if (!signedIn) navigate('/app/sign-in', { replace: true, state: { done: 'verified' } })
        else navigate(next ? `/app/sign-in?${new URLSearchParams({ next })}` : '/app', { replace: true })
      }}
    >
      <p>{t('Confirm that this email address is yours to open your account.')}</p>
      {own && <ReplacedSession />}
    </Press>
  )
}

function LinkGithub({ token }: { token: string }) {
  return (
    <Press
      title={t('Link GitHub to your account')}
      button={t('Link GitHub')}
      act={async () => {
        await api.auth.github.confirm({ token })
        const next = storedNext()
        const query = next === null ? '' : `?${new URLSearchParams({ next })}`
        navigate(`/app/sign-in${query}`, { replace: true, state: { done: 'github' } })
      }}
    >
      <p>{t('The GitHub account in the email can then sign in to your account.')}</p>
    </Press>
  )
}

function ConfirmEmail({ token }: { token: string }) {
  const isDone = useSignal(false)
  if (isDone.value)
    return (
      <Page title={t('Your new address is confirmed')} width="narrow">
        <p>{t('Use it from now on to sign in. Your other sessions have ended.')}</p>
        <Onward />
      </Page>
    )
  if (session.value.state === 'out')
    return (
      <Page title={t('Confirm your new email address')} width="narrow">
        <p>{t('First sign in here with your present address. Then open the link in the email again.')}</p>
        <Onward />
      </Page>
    )
  return (
    <Press
      title={t('Confirm your new email address')}
      button={t('Confirm')}
      act={async () => {
        await api.me.email.confirm({ token })
        isDone.value = true
        await reloadAfterSwitch()
      }}
    >
      <p>{t('The account will use this address instead of its present one.')}</p>
    </Press>
  )
}

function RevertEmail({ token }: { token: string }) {
  const restored = useSignal<boolean | null>(null)
  if (restored.value !== null)
    return (
      <Page title={t('Your address is safe')} width="narrow">
        <p>
          {restored.value
            ? t(
                'It is restored, and all sessions have ended. Choose a new password with the link we mailed you.',
              )
            : t('The change is cancelled. Now change your password.')}
        </p>
        <Onward />
      </Page>
    )
  return (
    <Press
      title={t('Keep your email address')}
      button={t('Keep my address')}
      act={async () => {
        restored.value = (await api.auth.email.revert({ token })).restored
        await reloadAfterSwitch()
      }}
    >
      <p>{t('This cancels or undoes the change of your address.')}</p>
    </Press>
  )
}

const Onward = () => (
  <p class="onward">
    <a href="/app/sign-in">{t('Go to sign-in')}</a>
  </p>
)

type PressProps = {
  title: string
  button: string
  act: () => Promise<void>
  /** Acts without a click. */
  unasked?: boolean
  children: ComponentChildren
}

function Press({ title, button, act, unasked = false, children }: PressProps) {
  const { run, busy, failure } = useAction(act)
  useEffect(() => {
    if (unasked) void run()
  }, [unasked])
  const refused = failure.value
  if (refused?.code === 'link_invalid') return <InvalidLink words={refused.message} />
  return (
    <Page title={title} width="narrow">
      {children}
      <p class="help">{t('If you did not request this, close the page.')}</p>
      {refused && <ErrorNotice failure={refused} retry={isRetryable(refused) ? run : undefined} />}
      <div class="ways">
        <button type="button" class="primary" aria-disabled={busy.value} onClick={() => void run()}>
          {busy.value ? t('Please wait …') : button}
        </button>
      </div>
    </Page>
  )
}

/** Signing in replaces the current session. */
function ReplacedSession() {
  const { value } = session
  if (value.state !== 'in') return null
  return (
    <p>
      <Trans
        text="You are signed in as {address}. That session ends."
        address={<bdi>{value.me.email}</bdi>}
      />
    </p>
  )
}

const InvalidLink = ({ words }: { words: string | null }) => (
  <Page title={t('This link does not work')} width="narrow">
    <p>{words ?? t('Links work once. Open it from the email again or request a new one.')}</p>
    <Onward />
  </Page>
)
