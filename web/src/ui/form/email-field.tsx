// The address a person is known by. It follows them from form to form, so that nobody types it twice.
import { signal } from '@preact/signals'
import type { ApiFailure } from '../../data/failure.ts'
import { t } from '../../i18n/t.ts'
import { Field } from './field.tsx'
import { textOf } from './form.tsx'

export const typedEmail = signal('')

/** As it stands in a form: password managers fill it in without typing. */
export function emailOf(form: FormData): string {
  typedEmail.value = textOf(form, 'email').trim()
  return typedEmail.value
}

export const EmailField = ({ refused, help }: { refused: ApiFailure | null; help?: string }) => (
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
    refused={refused}
    {...(help ? { help } : {})}
  />
)
