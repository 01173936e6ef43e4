// A list of short texts, such as names of models: chips that can be removed, and an input that adds one. The form has one
// value per chip, and the text that is not yet added.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { ApiFailure } from '../../data/failure.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../base/announcer.tsx'
import { fieldError } from '../form/field.tsx'

export type Suggestion = readonly [value: string, title: string]

type Props = {
  name: string
  /** Default: the name. */
  id?: string
  label: string
  help: ComponentChildren
  values: readonly string[]
  suggestions?: readonly Suggestion[]
  placeholder?: string
  failure?: ApiFailure | null
}

export function ChipsField({
  name,
  id = name,
  label,
  help,
  values,
  suggestions = [],
  placeholder,
  failure,
}: Props) {
  const chosen = useSignal(values)
  const input = useRef<HTMLInputElement>(null)
  const wrong = fieldError(failure, name)
  function add() {
    const typed = partsOf(input.current?.value ?? '')
    if (typed.length === 0 || !input.current) return
    chosen.value = [...new Set([...chosen.value, ...typed])]
    input.current.value = ''
    announce(t('{name} added.', { name: typed.join(', ') }))
  }
  function remove(value: string) {
    chosen.value = chosen.value.filter((each) => each !== value)
    input.current?.focus()
    announce(t('{name} removed.', { name: value }))
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Chips name={name} label={label} values={chosen.value} onRemove={remove} />
      <div class="answer">
        <input
          ref={input}
          id={id}
          name={name}
          list={`${id}-known`}
          aria-invalid={wrong !== null}
          aria-describedby={`${id}-help`}
          dir="ltr"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={2_000}
          placeholder={placeholder}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.currentTarget.value.trim() === '') return
            // Enter adds the text; a second one submits the form.
            event.preventDefault()
            add()
          }}
        />
        <button type="button" class="beside" aria-label={t('Add to {list}', { list: label })} onClick={add}>
          {t('Add')}
        </button>
      </div>
      <datalist id={`${id}-known`}>
        {suggestions.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </datalist>
      <p id={`${id}-help`} class="help">
        {wrong ? <span class="bad">{wrong}</span> : help}
      </p>
    </div>
  )
}

type ChipsProps = {
  name: string
  label: string
  values: readonly string[]
  onRemove: (value: string) => void
}

const Chips = ({ name, label, values, onRemove }: ChipsProps) =>
  values.length === 0 ? null : (
    <ul class="chips" aria-label={label}>
      {values.map((value) => (
        <li key={value} class="chip removable">
          <input type="hidden" name={name} value={value} />
          <bdi dir="ltr">{value}</bdi>
          <button
            type="button"
            aria-label={t('Remove {name}', { name: value })}
            onClick={() => onRemove(value)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  )

/** The texts of a chips field, each once. */
export const listOf = (form: FormData, name: string): string[] => [
  ...new Set(form.getAll(name).flatMap((text) => partsOf(String(text)))),
]

const partsOf = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '')
