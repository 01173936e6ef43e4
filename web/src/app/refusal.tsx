// A call that did not work, said where it happened, with the one thing to do about it.
import type { ApiFailure } from '../api.ts'

export function Refusal({ failure, retry }: { failure: ApiFailure; retry?: () => unknown }) {
  return (
    <div class="refusal" role="alert">
      <p>{failure.message}</p>
      {failure.requestId && (
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
