// A form field with a few options.
import type { ComponentChildren } from 'preact'
import type { ApiFailure } from '../../data/failure.ts'
import { fieldError } from '../form/field.tsx'

export type Option = readonly [value: string, words: string]

type Props = {
  name: string
  /** Default: the name. */
  id?: string
  label: string
  options: readonly Option[]
  value?: string
  /** The first choice where only the form reads it. `value` would replace the choice of the user after a refused form. */
  defaultValue?: string
  onChoose?: (value: string) => void
  help?: ComponentChildren
  failure?: ApiFailure | null
  disabled?: boolean
}

export function Select({
  name,
  id = name,
  label,
  options,
  value,
  defaultValue,
  onChoose,
  help,
  failure,
  disabled,
}: Props) {
  const wrong = fieldError(failure, name)
  const noted = wrong !== null || help !== undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        aria-invalid={wrong !== null}
        aria-describedby={noted ? `${id}-help` : undefined}
        disabled={disabled}
        {...(value !== undefined && { value })}
        onChange={(event) => onChoose?.(event.currentTarget.value)}
      >
        {options.map(([key, words]) => (
          <option
            key={key}
            value={key}
            selected={defaultValue === undefined ? undefined : key === defaultValue}
          >
            {words}
          </option>
        ))}
      </select>
      {noted && (
        <p id={`${id}-help`} class="help">
          {wrong ? <span class="bad">{wrong}</span> : help}
        </p>
      )}
    </div>
  )
}
