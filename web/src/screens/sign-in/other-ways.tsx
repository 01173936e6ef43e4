// Sign-in without a password, with the address of the form above.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { authConfig } from '../../data/service-info.ts'
import { useAction } from '../../data/use-action.ts'
import { msg, t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { appLocation, isInApp } from '../../router/location.ts'
import { storeNext } from '../../router/return-address.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { EmailField, typedEmail } from '../../ui/form/email-field.tsx'
import { fieldError } from '../../ui/form/field.tsx'
import { isRetryable } from '../../ui/form/form.tsx'
import { CURRENCY_OF } from '../../ui/money/countries.ts'
import { canUsePasskeys, usePasskey } from '../shared/passkey.ts'
import { goToMail } from './check-mail.tsx'
import { completeSignIn } from './complete-sign-in.ts'

type SignInMethod = { label: string; needsEmail: boolean; go: () => Promise<void> }

const LINK: SignInMethod = { label: msg('Email me a link'), needsEmail: true, go: mailLink }
const SSO: SignInMethod = { label: msg('Use single sign-on'), needsEmail: true, go: leaveForSso }
const PASSKEY: SignInMethod = { label: msg('Use a passkey'), needsEmail: false, go: showPasskey }
const DEVELOPMENT: SignInMethod = {
  label: msg('Development sign-in'),
  needsEmail: true,
  go: signInForDevelopment,
}

/** `alone` without a password form above: then the address is asked for here. */
export function OtherMethods({ methods, alone = false }: { methods: readonly string[]; alone?: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  const last = useSignal<SignInMethod | null>(null)
  const { run, busy, failure, reset } = useAction((way: SignInMethod) => way.go())
  const ways = methodsFor(methods)
  const refused = failure.value

  function take(way: SignInMethod | null | undefined) {
    const email = box.current?.parentElement?.querySelector<HTMLInputElement>('input[name="email"]')
    if (!way || (way.needsEmail && email && !email.reportValidity())) return
    if (email) typedEmail.value = email.value.trim()
    last.value = way
    void run(way)
  }

  if (refused?.code === 'sso_required') return <SsoSignIn back={reset} />
  return (
    <div ref={box} class={alone ? 'ways' : 'ways more-ways'}>
      {alone && (
        <form
          id="address"
          onSubmit={(event) => {
            event.preventDefault()
            take(ways[0])
          }}
        >
          <EmailField failure={refused} />
        </form>
      )}
      {refused && !fieldError(refused, 'email') && (
        <ErrorNotice failure={refused} retry={isRetryable(refused) ? () => take(last.value) : undefined} />
      )}
      {ways.map((way, index) => (
        <button
          key={way.label}
          {...(alone && index === 0
            ? { type: 'submit', form: 'address', class: 'primary' }
            : { type: 'button', onClick: () => take(way) })}
          aria-disabled={busy.value}
        >
          {busy.value && last.value === way ? t('Please wait …') : t(way.label)}
        </button>
      ))}
    </div>
  )
}

function methodsFor(methods: readonly string[]): SignInMethod[] {
  const has = (...names: string[]) => names.some((name) => methods.includes(name))
  return [
    ...(has('magic_link') ? [LINK] : []),
    ...(has('oidc', 'saml') ? [SSO] : []),
    ...(has('password', 'magic_link') && canUsePasskeys() ? [PASSKEY] : []),
    ...(has('dev') ? [DEVELOPMENT] : []),
  ]
}

/** For organisations that require single sign-on. */
export function SsoSignIn({ back }: { back: () => void }) {
  const onward = useRef<HTMLButtonElement>(null)
  useEffect(() => onward.current?.focus(), [])
  return (
    <div class="ways">
      <p role="alert">
        <Trans
          text="Your organisation requires single sign-on for {address}."
          address={<bdi>{typedEmail}</bdi>}
        />
      </p>
      <button ref={onward} type="button" class="primary" onClick={() => void leaveForSso()}>
        {t('Continue with single sign-on')}
      </button>
      <button type="button" onClick={back}>
        {t('Use another address')}
      </button>
    </div>
  )
}

async function mailLink(): Promise<void> {
  const email = typedEmail.value
  await api.auth.magic.request({ email })
  goToMail({ email, about: 'magic' })
}

/** Leaves the app for the identity provider. */
async function leaveForSso(): Promise<void> {
  storeNext()
  location.assign(
    `/auth/sso/initiate?${new URLSearchParams({ email: typedEmail.value, ...travellingNext() })}`,
  )
}

const NEXT_CHARACTERS = 500

/** The return address as a parameter. A long one, with a long prompt, is only stored in this browser. */
function travellingNext(): { next?: string } {
  const next = appLocation.value.query.get('next')
  return next !== null && isInApp(next) && next.length <= NEXT_CHARACTERS ? { next } : {}
}

async function showPasskey(): Promise<void> {
  const options = await api.auth.passkeys.signInOptions()
  const response = await usePasskey(options)
  if (response) await completeSignIn(await api.auth.passkeys.signIn({ response }))
}

async function signInForDevelopment(): Promise<void> {
  await completeSignIn(await api.auth.devLogin({ email: typedEmail.value }))
}

/** Where the service offers it. A link, because the browser leaves the app. The country sets the currency of a new wallet. */
export function GithubSignIn({ country }: { country: string }) {
  const config = authConfig.current.value
  if (config.state !== 'ready' || !config.value.methods.includes('github')) return null
  const currency = CURRENCY_OF[country]
  const query = new URLSearchParams({ ...(currency && { currency }), ...travellingNext() })
  return (
    <>
      <p class="ways">
        <a class="button" href={`/auth/github?${query}`} onClick={storeNext}>
          {t('Continue with GitHub')}
        </a>
      </p>
      <p class="or">{t('or')}</p>
    </>
  )
}
