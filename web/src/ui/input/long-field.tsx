// A form field with several lines.
import type { ComponentChildren } from 'preact'
import type { ApiFailure } from '../../data/failure.ts'
import { fieldError } from '../form/field.tsx'

type Props = {
  name: string
  label: string
  help?: ComponentChildren
  failure?: ApiFailure | null
  rows?: number
  required?: boolean
  maxLength?: number
  value?: string
  placeholder?: string
  /** `ltr` for text that is not prose, such as a certificate. */
  dir?: 'auto' | 'ltr'
}

export function LongField({ name, label, help, failure, rows = 3, dir = 'auto', value, ...rest }: Props) {
  const wrong = fieldError(failure, name)
  const noted = wrong !== null || help !== undefined
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <textarea
        id={name}
        name={name}
        rows={rows}
        dir={dir}
        aria-invalid={wrong !== null}
        aria-describedby={noted ? `${name}-help` : undefined}
        defaultValue={value}
        {...rest}
      />
      {noted && (
        <p id={`${name}-help`} class="help">
          {wrong ? <span class="bad">{wrong}</span> : help}
        </p>
      )}
    </div>
  )
}
