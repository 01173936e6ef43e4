// The email field. The address is shared between forms, so that it is typed once.
import { signal } from '@preact/signals'
import type { ApiFailure } from '../../data/failure.ts'
import { t } from '../../i18n/t.ts'
import { Field } from './field.tsx'
import { textOf } from './form.tsx'

export const typedEmail = signal('')

/** Reads the form, because password managers fill it in without input events. */
export function emailOf(form: FormData): string {
  typedEmail.value = textOf(form, 'email').trim()
  return typedEmail.value
}

export const EmailField = ({ failure, help }: { failure: ApiFailure | null; help?: string }) => (
  <Field
    name="email"
    label={t('Email')}
    type="email"
    autocomplete="username"
    inputMode="email"
    required
    maxLength={254}
    dir="auto"
    spellcheck={false}
    autocapitalize="none"
    value={typedEmail.value}
    onInput={(event) => {
      typedEmail.value = event.currentTarget.value.trim()
    }}
    failure={failure}
    {...(help ? { help } : {})}
  />
)
