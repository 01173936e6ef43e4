import { retryable } from '@cowrie/sdk'
// A form: submits once at a time, shows its error above the button, and moves the focus to the first invalid field.
import type { ComponentChildren, TargetedSubmitEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ApiFailure } from '../../data/failure.ts'
import type { Action } from '../../data/use-action.ts'
import { ErrorNotice } from '../base/error-notice.tsx'
import { isAt } from './field.tsx'

type Props = {
  action: Action<[FormData]>
  submit: string
  /** The button text while submitting. */
  busy: string
  /** Names of fields that show their own errors. */
  fields?: readonly string[]
  /** The field that gets the focus after an error that names none. */
  back?: string
  /** Error codes that a field shows itself. */
  quiet?: readonly string[]
  /** A button beside the submit button. */
  cancel?: ComponentChildren
  children: ComponentChildren
}

export function Form({ action, submit, busy, fields = [], back, quiet = [], cancel, children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const failure = action.failure.value
  useEffect(() => {
    if (failure) focusOn(form.current, back)
  }, [failure, back])

  function send(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    void action.run(new FormData(event.currentTarget))
  }

  const button = (
    <button type="submit" class="primary" aria-disabled={action.busy.value}>
      {action.busy.value ? busy : submit}
    </button>
  )
  return (
    <form ref={form} onSubmit={send}>
      {children}
      {failure && !quiet.includes(failure.code) && !isShownAtField(failure, fields) && (
        <ErrorNotice
          failure={failure}
          retry={isRetryable(failure) ? () => form.current?.requestSubmit() : undefined}
        />
      )}
      {cancel ? (
        <div class="choices">
          {button}
          {cancel}
        </div>
      ) : (
        button
      )}
    </form>
  )
}

export const textOf = (data: FormData, name: string): string => String(data.get(name) ?? '')

/** Whether to offer a retry. A rate limit has a countdown instead. */
export const isRetryable = (failure: ApiFailure): boolean => failure.status !== 429 && retryable(failure)

const isShownAtField = (failure: ApiFailure, fields: readonly string[]): boolean =>
  failure.fields.some(({ path }) => fields.some((name) => isAt(path, name)))

function focusOn(form: HTMLFormElement | null, back: string | undefined): void {
  const field =
    form?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
    form?.querySelector<HTMLElement>(back ? `[name="${back}"]` : 'input, select')
  field?.focus()
}
