// A form field: label, input, and a hint that the error message replaces.
import type { ComponentChildren, TargetedInputEvent } from 'preact'
import type { ApiFailure } from '../../data/failure.ts'
import { t } from '../../i18n/t.ts'

export type FieldProps = {
  name: string
  /** Default: the name. Two forms on one page need different ids. */
  id?: string
  label: string
  help?: ComponentChildren
  /** The error of the service, which may name this field. */
  failure?: ApiFailure | null
  /** Replaces the message of the service. */
  error?: string | null | undefined
  /** Shown after the input. */
  after?: ComponentChildren
  type?: 'email' | 'password' | 'tel' | 'text'
  autocapitalize?: 'none' | 'characters'
  autocomplete?: AutoFill
  class?: string
  dir?: 'auto' | 'ltr'
  inputMode?: 'decimal' | 'email' | 'numeric' | 'tel' | 'text'
  maxLength?: number
  minLength?: number
  onInput?: (event: TargetedInputEvent<HTMLInputElement>) => void
  placeholder?: string
  required?: boolean
  spellcheck?: boolean
  /** The first text of a field whose text only the form reads. It survives a refused form; `value` replaces what was typed. */
  defaultValue?: string
  value?: string
}

export function Field({
  name,
  id = name,
  label,
  help,
  failure,
  error,
  after,
  type = 'text',
  ...input
}: FieldProps) {
  const wrong = error ?? fieldError(failure, name)
  const noted = wrong !== null || help !== undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="answer">
        <input
          id={id}
          name={name}
          type={type as 'text'}
          aria-invalid={wrong !== null}
          aria-describedby={noted ? `${id}-help` : undefined}
          {...input}
        />
        {after}
      </div>
      {noted && (
        <p id={`${id}-help`} class="help">
          {wrong ? <span class="bad">{wrong}</span> : help}
        </p>
      )}
    </div>
  )
}

export function fieldError(failure: ApiFailure | null | undefined, name: string): string | null {
  const error = failure?.fields.find(({ path }) => isAt(path, name))
  return error ? t('This {fault}.', { fault: error.message }) : null
}

/** Whether an error is about a field or, for `models.0`, about an item of it. */
export const isAt = (path: string, name: string): boolean => path === name || path.startsWith(`${name}.`)
