// A code from an authenticator app. It is read in one glance, so a wrong one is said at the field.
import type { ApiFailure } from '../api.ts'
import { Field, faultOf } from './field.tsx'

export function CodeField({ refused, recovery = false }: { refused: ApiFailure | null; recovery?: boolean }) {
  const wrong = refused?.code === 'wrong_code' ? refused.message : faultOf(refused, 'code')
  return (
    <Field
      name="code"
      label={recovery ? 'Recovery code' : 'Code'}
      help={recovery ? 'Each of the codes you saved works once.' : 'Six digits from your authenticator app.'}
      fault={wrong}
      class="code"
      dir="ltr"
      required
      maxLength={40}
      autocomplete="one-time-code"
      inputMode={recovery ? 'text' : 'numeric'}
      autocapitalize="none"
      spellcheck={false}
    />
  )
}
