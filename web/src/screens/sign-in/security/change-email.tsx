// Changes the email address of the account. The new mailbox confirms the change.
import { api } from '../../../data/api.ts'
import { reloadSession, session } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Form, textOf } from '../../../ui/form/form.tsx'

export function ChangeEmail() {
  const { value } = session
  if (value.state !== 'in') return null
  const { email, pendingEmail } = value.me
  return (
    <Section title={t('Email address')}>
      <p>
        <bdi>{email}</bdi>
      </p>
      {pendingEmail ? <Pending {...pendingEmail} /> : <NewAddress />}
    </Section>
  )
}

function NewAddress() {
  const action = useAction(async (form: FormData) => {
    await api.me.email.change({ email: textOf(form, 'newEmail').trim() })
    await reloadSession()
    announce(t('Open the link in the email to the new address.'))
  })
  const failure = action.failure.value
  return (
    <Form
      action={action}
      submit={t('Change address')}
      busy={t('Changing …')}
      fields={['email']}
      back="newEmail"
    >
      <Field
        name="newEmail"
        label={t('New address')}
        type="email"
        inputMode="email"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        required
        maxLength={254}
        dir="auto"
        help={t('It counts once you confirm it from its mailbox.')}
        error={failure?.fields.find(({ path }) => path === 'email')?.message ?? null}
      />
    </Form>
  )
}

function Pending({ email, expiresAt }: { email: string; expiresAt: string }) {
  const { run, busy, failure } = useAction(async () => {
    await api.me.email.cancel()
    await reloadSession()
    announce(t('Your address stays as it is.'))
  })
  return (
    <>
      <p data-testid="pending-email">
        <Trans
          text="Waiting for {address} until {time}. Open the link in that mailbox."
          address={<bdi>{email}</bdi>}
          time={formatDateTime(expiresAt)}
        />
      </p>
      {failure.value && <ErrorNotice failure={failure.value} />}
      <div class="choices">
        <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
          {t('Cancel the change')}
        </button>
      </div>
    </>
  )
}
