// Tells the user to check their mail, with the address, because typos there are the usual problem.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { session } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { msg, t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { appLocation, navigate } from '../../router/location.ts'
import { storeNext, withNext } from '../../router/return-address.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { clockText, useSecondsUntil } from '../../ui/base/countdown.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page } from '../../ui/base/sheet.tsx'

const RESEND_AFTER_MS = 60_000

type Mail = { words: string; ask: (to: { email: string }) => Promise<unknown>; begin: string }
const VERIFY: Mail = {
  words: msg('The email has a link that confirms your address.'),
  ask: (to) => api.auth.verifyResend(to),
  begin: '/app/register',
}
const MAILS: Record<string, Mail> = {
  verify: VERIFY,
  unverified: { ...VERIFY, words: msg('Your address is not confirmed yet. Use the link in our email.') },
  magic: {
    words: msg('If this address has an account, the email has a sign-in link. It works for 15 minutes.'),
    ask: (to) => api.auth.magic.request(to),
    begin: '/app/sign-in',
  },
  reset: {
    words: msg(
      'If this address has an account, the email has a link for a new password. It works for one hour.',
    ),
    ask: (to) => api.auth.password.forgot(to),
    begin: '/app/forgot',
  },
}

/** Called when a mail was requested. */
export function goToMail(stored: {
  email: string
  about: 'verify' | 'unverified' | 'magic' | 'reset'
}): void {
  storeNext()
  navigate(withNext('/app/check-mail'), { state: stored, secrets: appLocation.peek().secrets })
}

export default function CheckMail() {
  const { email, about } = appLocation.value.state
  const mail = MAILS[about ?? '']
  const isDone = about !== 'reset' && session.value.state === 'in'
  // The link was opened in another tab of this browser.
  useEffect(() => {
    if (isDone) navigate(withNext('/app/sign-in'), { replace: true, secrets: appLocation.peek().secrets })
  }, [isDone])
  if (!email || !mail) return <Unknown />
  return (
    <Page title={t('Check your mail')} width="narrow">
      <p>
        {about === 'unverified' ? (
          <Trans text="We sent an email to {address}." address={<Address of={email} />} />
        ) : (
          <Trans text="We are sending an email to {address}." address={<Address of={email} />} />
        )}{' '}
        {t(mail.words)}
      </p>
      <p class="help">{t('No email after a minute? Check your spam folder and the address.')}</p>
      <Resend key={email} email={email} mail={mail} ready={about === 'unverified'} />
      <p class="onward">
        <a href={withNext(mail.begin)}>{t('Use another address')}</a>
      </p>
    </Page>
  )
}

const Address = ({ of }: { of: string }) => (
  <strong>
    <bdi>{of}</bdi>
  </strong>
)

/** `ready` where the mail may be old: then another can be requested at once. */
function Resend({ email, mail, ready }: { email: string; mail: Mail; ready: boolean }) {
  const next = useSignal(ready ? 0 : Date.now() + RESEND_AFTER_MS)
  const left = useSecondsUntil(next.value).value
  const { run, busy, failure } = useAction(async () => {
    await mail.ask({ email })
    next.value = Date.now() + RESEND_AFTER_MS
    announce(t('Sent again.'))
  })
  return (
    <div class="ways">
      {failure.value && <ErrorNotice failure={failure.value} />}
      <button type="button" aria-disabled={busy.value || left > 0} onClick={() => left === 0 && void run()}>
        {left > 0 ? (
          <>
            <span class="unseen">{t('Send it again')}</span>
            <span aria-hidden="true">
              <Trans text="Send it again in {time}" time={<bdi dir="ltr">{clockText(left)}</bdi>} />
            </span>
          </>
        ) : (
          t('Send it again')
        )}
      </button>
    </div>
  )
}

const Unknown = () => (
  <Page title={t('Check your mail')} width="narrow">
    <p>{t('Open the link in the email in this browser.')}</p>
    <p class="onward">
      <a href="/app/sign-in">{t('Go to sign-in')}</a>
    </p>
  </Page>
)
