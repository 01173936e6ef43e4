// A call that did not work, said where it happened, with the one thing to do about it.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { type ApiFailure, api, asFailure } from '../api.ts'
import { t } from '../i18n/t.ts'
import { session } from '../identity/session.ts'
import { SignInAgain } from '../identity/sign-in-again.tsx'
import { formatMoney, plainAmount } from '../money.ts'
import { Countdown } from './countdown.tsx'
import { span, wordsFor } from './words.ts'

type Props = { failure: ApiFailure; retry?: (() => unknown) | undefined; children?: ComponentChildren }

export function Refusal({ failure, retry, children }: Props) {
  return (
    <div class="refusal" role="alert">
      <p>{wordsFor(failure)}</p>
      {failure.status === 429 && failure.retryAfter !== null && <Wait seconds={failure.retryAfter} />}
      {failure.code === 'reauth_required' && <SignInAgain />}
      {failure.code === 'insufficient_funds' && <Short failure={failure} />}
      {failure.code === 'org_suspended' && <Onward href="/app/contact" words={t('Ask us about it')} />}
      {failure.code === 'kyc_required' && (
        <Onward href="/app/organisation#verification" words={t('Verify your business')} />
      )}
      <Reasons failure={failure} />
      {failure.code === 'member_cap_reached' && <Capped failure={failure} />}
      {children}
      {failure.requestId && !isOwnMistake(failure) && (
        <p class="help">
          {t('Ref')} <code dir="ltr">{failure.requestId}</code>
        </p>
      )}
      {retry && (
        <button type="button" onClick={() => void retry()}>
          {t('Try again')}
        </button>
      )}
    </div>
  )
}

/** What is missing, and the way to it: what was typed stays where it is. */
function Short({ failure: { detail } }: { failure: ApiFailure }) {
  const { value } = session
  const { requiredMinor, availableMinor } = detail
  if (value.state !== 'in' || typeof requiredMinor !== 'bigint' || typeof availableMinor !== 'bigint')
    return null
  const { currency } = value.me
  const missing = requiredMinor - availableMinor
  // What came in meanwhile may be enough.
  if (missing <= 0n) return null
  return (
    <p>
      <a class="button" href={`/app/wallet?amount=${plainAmount(missing, currency)}#top-up`}>
        {t('Top up {amount} or more', { amount: formatMoney(missing, currency) })}
      </a>
    </p>
  )
}

const Onward = ({ href, words }: { href: string; words: string }) => (
  <p>
    <a class="button" href={href}>
      {words}
    </a>
  </p>
)

/** Where several things are in the way, all of them. */
function Reasons({ failure: { detail } }: { failure: ApiFailure }) {
  const reasons = Array.isArray(detail.reasons) ? detail.reasons.map(String) : []
  if (reasons.length === 0) return null
  return (
    <ul>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  )
}

/** Who can raise the cap, by name where the team says it; until it does, anybody who may. */
function Capped({ failure: { detail } }: { failure: ApiFailure }) {
  const { value } = session
  const owner = useSignal<string | null>(null)
  const orgId = value.state === 'in' ? value.me.orgId : null
  useEffect(() => {
    if (orgId === null) return
    api.teams.members.list(orgId, { limit: 50 }).then(
      ({ members }) => {
        owner.value = members.find(({ role }) => role === 'owner')?.email ?? null
      },
      // Without an answer the sentence stays as it is, and right.
      asFailure,
    )
  }, [orgId])
  const { requiredMinor, availableMinor } = detail
  return (
    <>
      <p>
        {owner.value ? t('Ask {email} to raise it.', { email: owner.value }) : t('Ask an owner to raise it.')}
      </p>
      {value.state === 'in' && typeof requiredMinor === 'bigint' && typeof availableMinor === 'bigint' && (
        <p class="help">
          {t('{left} of it is left, and this may cost {amount}.', {
            left: formatMoney(availableMinor, value.me.currency),
            amount: formatMoney(requiredMinor, value.me.currency),
          })}
        </p>
      )}
    </>
  )
}

/** What the reader can mend alone needs no number to quote. */
const isOwnMistake = ({ status, code }: ApiFailure): boolean =>
  status === 401 || status === 429 || code === 'reauth_required'

/** The time runs down for those who see it; read aloud it is said once. */
const Wait = ({ seconds }: { seconds: number }) => (
  <p>
    <span class="unseen">{t('Try again in {time}.', { time: span(seconds) })}</span>
    <span aria-hidden="true">
      <Countdown seconds={seconds} before={t('Try again in')} after={t('You can try again now.')} />
    </span>
  </p>
)
