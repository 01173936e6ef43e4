// A failed request, shown where it happened, with one thing to do about it.
import type { ComponentChildren, ComponentType } from 'preact'
import type { ApiFailure } from '../../data/failure.ts'
import { formatDuration } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { Countdown } from './countdown.tsx'
import { errorText } from './error-text.ts'

type Props = { failure: ApiFailure; retry?: (() => unknown) | undefined; children?: ComponentChildren }

type Remedies = Readonly<Record<string, ComponentType<{ failure: ApiFailure }>>>
let remedies: Remedies = {}

/** Registers, by error code, the component that offers a way out. */
export function setRemedies(byCode: Remedies): void {
  remedies = byCode
}

export function ErrorNotice({ failure, retry, children }: Props) {
  const Remedy = remedies[failure.code]
  return (
    <div class="refusal" role="alert">
      <p>{errorText(failure)}</p>
      {failure.status === 429 && failure.retryAfter !== null && <Wait seconds={failure.retryAfter} />}
      {Remedy && <Remedy failure={failure} />}
      <Reasons failure={failure} />
      {children}
      {failure.requestId && !isOwnMistake(failure) && (
        <p class="help">
          {t('Request ID')} <code dir="ltr">{failure.requestId}</code>
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

/** Users fix these themselves and need no reference for support. */
const isOwnMistake = ({ status, code }: ApiFailure): boolean =>
  status === 401 || status === 429 || code === 'reauth_required'

/** Screen readers announce the time once; the countdown is visual only. */
const Wait = ({ seconds }: { seconds: number }) => (
  <p>
    <span class="unseen">{t('Try again in {time}.', { time: formatDuration(seconds) })}</span>
    <span aria-hidden="true">
      <Countdown seconds={seconds} before={t('Try again in')} after={t('You can try again now.')} />
    </span>
  </p>
)
