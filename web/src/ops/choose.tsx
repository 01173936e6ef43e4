// One of a few, from a list that the browser opens.
import type { ComponentChildren } from 'preact'

type Props<V extends string> = {
  name: string
  label: string
  options: readonly (readonly [value: V, words: string])[]
  value: V
  choose?: (value: V) => void
  disabled?: boolean
  help?: ComponentChildren
}

export function Choose<V extends string>({ name, label, options, value, choose, disabled, help }: Props<V>) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select
        id={name}
        name={name}
        value={value}
        disabled={disabled}
        aria-describedby={help === undefined ? undefined : `${name}-help`}
        onChange={(event) => {
          const chosen = options.find(([each]) => each === event.currentTarget.value)
          if (chosen) choose?.(chosen[0])
        }}
      >
        {options.map(([each, words]) => (
          <option key={each} value={each} selected={each === value}>
            {words}
          </option>
        ))}
      </select>
      {help !== undefined && (
        <p id={`${name}-help`} class="help">
          {help}
        </p>
      )}
    </div>
  )
}
