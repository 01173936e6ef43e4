// One question of a form: its name, the place for the answer, and help that turns into what is wrong with it.
import type { ComponentChildren, TargetedInputEvent } from 'preact'
import type { ApiFailure } from '../../data/failure.ts'
import { t } from '../../i18n/t.ts'

export type FieldProps = {
  name: string
  label: string
  help?: ComponentChildren
  /** Where the service says what is wrong with the answer. */
  refused?: ApiFailure | null
  /** Said instead of a fault that the service names. */
  fault?: string | null | undefined
  /** Stands behind the answer. */
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
  value?: string
}

export function Field({ name, label, help, refused, fault, after, type = 'text', ...input }: FieldProps) {
  const wrong = fault ?? faultOf(refused, name)
  const noted = wrong !== null || help !== undefined
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <div class="answer">
        <input
          id={name}
          name={name}
          type={type as 'text'}
          aria-invalid={wrong !== null}
          aria-describedby={noted ? `${name}-help` : undefined}
          {...input}
        />
        {after}
      </div>
      {noted && (
        <p id={`${name}-help`} class="help">
          {wrong ? <span class="bad">{wrong}</span> : help}
        </p>
      )}
    </div>
  )
}

export function faultOf(refused: ApiFailure | null | undefined, name: string): string | null {
  const fault = refused?.fields.find(({ path }) => path === name)
  return fault ? t('This {fault}.', { fault: fault.message }) : null
}
