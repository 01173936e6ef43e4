// A form for the code of an authenticator app. The field shows a wrong code.

import type { Action } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { Field, fieldError } from '../form/field.tsx'
import { Form } from '../form/form.tsx'

type Props = { action: Action<[FormData]>; submit: string; busy: string; recovery?: boolean }

/** Submits the code as `code`. */
export function CodeForm({ action, submit, busy, recovery = false }: Props) {
  const failure = action.failure.value
  return (
    <Form action={action} submit={submit} busy={busy} fields={['code']} back="code" quiet={['wrong_code']}>
      <Field
        name="code"
        label={recovery ? t('Recovery code') : t('Code')}
        help={recovery ? t('Each recovery code works once.') : t('Six digits from your authenticator app.')}
        error={failure?.code === 'wrong_code' ? failure.message : fieldError(failure, 'code')}
        class="code"
        dir="ltr"
        required
        maxLength={40}
        autocomplete="one-time-code"
        inputMode={recovery ? 'text' : 'numeric'}
        autocapitalize="none"
        spellcheck={false}
      />
    </Form>
  )
}
