import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { withNext } from '../../../router/return-address.ts'
import { Page } from '../../../ui/base/sheet.tsx'
import { EmailField, emailOf } from '../../../ui/form/email-field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { goToMail } from '../check-mail.tsx'

export default function Forgot() {
  const action = useAction(async (form: FormData) => {
    const email = emailOf(form)
    await api.auth.password.forgot({ email })
    goToMail({ email, about: 'reset' })
  })
  return (
    <Page title={t('Choose a new password')} width="narrow">
      <p>{t('We email you a link. Your old password works until you choose a new one.')}</p>
      <Form action={action} submit={t('Send the link')} busy={t('Sending …')} fields={['email']} back="email">
        <EmailField failure={action.failure.value} />
      </Form>
      <p class="onward">
        <a href={withNext('/app/sign-in')}>{t('Back to sign-in')}</a>
      </p>
    </Page>
  )
}
