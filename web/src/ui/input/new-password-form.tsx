// The form for a new password, opened from a mailed link.

import type { Action } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { Form } from '../form/form.tsx'
import { NewPassword } from './password-field.tsx'

type Props = {
  action: Action<[FormData]>
  submit: string
  busy: string
  label?: string
  /** Whether the form asks for a password at all. */
  asked?: boolean
}

export const NewPasswordForm = ({ action, submit, busy, label = t('Password'), asked = true }: Props) => (
  <Form
    action={action}
    submit={submit}
    busy={busy}
    fields={['password']}
    back="password"
    quiet={['weak_password']}
  >
    {asked && <NewPassword label={label} failure={action.failure.value} />}
  </Form>
)
