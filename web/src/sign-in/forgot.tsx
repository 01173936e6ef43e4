import { api } from '../api.ts'
import { EmailField, emailOf } from '../app/email-field.tsx'
import { Form } from '../app/form.tsx'
import { withNext } from '../app/next.ts'
import { Sheet } from '../app/sheet.tsx'
import { useAction } from '../app/use-action.ts'
import { t } from '../i18n/t.ts'
import { goToMail } from './check-mail.tsx'

export default function Forgot() {
  const action = useAction(async (form: FormData) => {
    const email = emailOf(form)
    await api.auth.password.forgot({ email })
    goToMail({ email, about: 'reset' })
  })
  return (
    <Sheet title={t('Choose a new password')}>
      <p>{t('We send a link to your address. The old password works until you have chosen a new one.')}</p>
      <Form action={action} submit={t('Send the link')} busy={t('Sending …')} fields={['email']} back="email">
        <EmailField refused={action.failure.value} />
      </Form>
      <p class="onward">
        <a href={withNext('/app/sign-in')}>{t('Back to sign-in')}</a>
      </p>
    </Sheet>
  )
}
