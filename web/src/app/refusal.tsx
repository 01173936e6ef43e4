// A call that did not work, said where it happened, with the one thing to do about it.
import type { ComponentChildren } from 'preact'
import type { ApiFailure } from '../api.ts'
import { SignInAgain } from '../identity/sign-in-again.tsx'
import { Countdown } from './countdown.tsx'
import { span, wordsFor } from './words.ts'

type Props = { failure: ApiFailure; retry?: (() => unknown) | undefined; children?: ComponentChildren }

export function Refusal({ failure, retry, children }: Props) {
  return (
    <div class="refusal" role="alert">
      <p>{wordsFor(failure)}</p>
      {failure.status === 429 && failure.retryAfter !== null && <Wait seconds={failure.retryAfter} />}
      {failure.code === 'reauth_required' && <SignInAgain />}
      {children}
      {failure.requestId && !isOwnMistake(failure) && (
        <p class="help">
          Ref <code>{failure.requestId}</code>
        </p>
      )}
      {retry && (
        <button type="button" onClick={() => void retry()}>
          Try again
        </button>
      )}
    </div>
  )
}

/** What the reader can mend alone needs no number to quote. */
const isOwnMistake = ({ status, code }: ApiFailure): boolean =>
  status === 401 || status === 429 || code === 'reauth_required'

/** The time runs down for those who see it; read aloud it is said once. */
const Wait = ({ seconds }: { seconds: number }) => (
  <p>
    <span class="unseen">Try again in {span(seconds)}.</span>
    <span aria-hidden="true">
      <Countdown seconds={seconds} before="Try again in" after="You can try again now." />
    </span>
  </p>
)
