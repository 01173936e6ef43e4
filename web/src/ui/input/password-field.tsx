// A password field that can show its text. Pasting is allowed.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { ApiFailure } from '../../data/failure.ts'
import { msg, t, tn } from '../../i18n/t.ts'
import { Field, fieldError } from '../form/field.tsx'

const LENGTH_MIN = 8
const LENGTH_STRONG = 14

type Props = { name?: string; label?: string; failure: ApiFailure | null }

export function CurrentPassword({
  name = 'password',
  label = t('Password'),
  failure,
  help,
  error,
}: Props & { help?: ComponentChildren; error?: string | null }) {
  return (
    <Hidden
      name={name}
      label={label}
      autocomplete="current-password"
      error={error ?? fieldError(failure, name)}
      help={help}
    />
  )
}

/** The length decides how hard a password is to guess, so nothing else is checked here. */
export function NewPassword({ name = 'password', label = t('Password'), failure }: Props) {
  const length = useSignal(0)
  const weak = failure?.code === 'weak_password' ? failure.message : null
  return (
    <>
      <Hidden
        name={name}
        label={label}
        autocomplete="new-password"
        minLength={LENGTH_MIN}
        error={weak ?? fieldError(failure, name)}
        help={strength(length.value)}
        onLength={(value) => {
          length.value = value
        }}
      />
      <meter
        class="strength"
        aria-hidden="true"
        max={LENGTH_STRONG}
        low={LENGTH_MIN}
        high={LENGTH_STRONG - 1}
        optimum={LENGTH_STRONG}
        value={Math.min(length.value, LENGTH_STRONG)}
      />
    </>
  )
}

function strength(length: number): string {
  if (length === 0) return t('At least {n} characters. Several words work best.', { n: LENGTH_MIN })
  if (length < LENGTH_MIN) return tn(LENGTH_MIN - length, '{n} more to go.', '{n} more to go.')
  return length < LENGTH_STRONG ? t('Long enough. Longer is safer.') : t('A good length.')
}

type HiddenProps = {
  name: string
  label: string
  autocomplete: 'current-password' | 'new-password'
  error: string | null
  minLength?: number
  help?: ComponentChildren
  onLength?: (length: number) => void
}

function Hidden({ onLength, error, help, minLength, ...field }: HiddenProps) {
  const shown = useSignal(false)
  return (
    <Field
      {...field}
      error={error}
      {...(help === undefined ? {} : { help })}
      {...(minLength === undefined ? {} : { minLength })}
      type={shown.value ? 'text' : 'password'}
      required
      spellcheck={false}
      autocapitalize="none"
      onInput={(event) => onLength?.(event.currentTarget.value.length)}
      after={
        <button
          type="button"
          class="beside"
          aria-label={t(shown.value ? msg('Hide {field}') : msg('Show {field}'), {
            field: field.label.toLowerCase(),
          })}
          onClick={() => {
            shown.value = !shown.value
          }}
        >
          {shown.value ? t('Hide') : t('Show')}
        </button>
      }
    />
  )
}
