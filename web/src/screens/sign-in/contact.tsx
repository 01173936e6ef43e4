// The contact form, for visitors without an account.
import type { ContactLeadBody } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { type Action, useAction } from '../../data/use-action.ts'
import { msg, t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { EmailField, emailOf } from '../../ui/form/email-field.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'
import { LongField } from '../../ui/input/long-field.tsx'
import { Select } from '../../ui/input/select.tsx'

const MESSAGE_MAX = 5_000
const INTERESTS: Readonly<Record<NonNullable<ContactLeadBody['interest']>, string>> = {
  general: msg('Something else'),
  teams: msg('An account for my team'),
  enterprise: msg('Cowrie for a large organisation'),
}

export default function Contact() {
  const sentTo = useSignal<string | null>(null)
  const action = useAction(async (form: FormData) => {
    const lead = leadOf(form)
    await api.contact.lead(lead)
    sentTo.value = lead.email
  })
  return sentTo.value === null ? <Questions action={action} /> : <Thanks address={sentTo.value} />
}

const Questions = ({ action }: { action: Action<[FormData]> }) => (
  <Page title={t('Contact us')} width="narrow">
    <p>{t('Tell us what you need. We reply by email.')}</p>
    <Form
      action={action}
      submit={t('Send')}
      busy={t('Sending …')}
      fields={['name', 'email', 'company', 'message']}
      back="message"
    >
      <Field
        name="name"
        label={t('Your name')}
        autocomplete="name"
        required
        maxLength={200}
        dir="auto"
        failure={action.failure.value}
      />
      <EmailField failure={action.failure.value} />
      <Field
        name="company"
        label={t('Company (optional)')}
        autocomplete="organization"
        maxLength={200}
        dir="auto"
        failure={action.failure.value}
      />
      <Select
        name="interest"
        label={t('Topic')}
        options={Object.entries(INTERESTS).map(([interest, words]) => [interest, t(words)])}
      />
      <LongField
        name="message"
        label={t('Message')}
        rows={5}
        required
        maxLength={MESSAGE_MAX}
        failure={action.failure.value}
      />
      {/* A honeypot: hidden from people, filled in by bots. */}
      <input class="unseen" name="website" autocomplete="off" tabIndex={-1} aria-hidden="true" />
    </Form>
    <p class="onward">
      <a href="/app/sign-in">{t('Back to sign-in')}</a>
    </p>
  </Page>
)

function Thanks({ address }: { address: string }) {
  useEffect(() => document.getElementById('screen-title')?.focus(), [])
  return (
    <Page title={t('Message received')} width="narrow">
      <p>
        <Trans
          text="We will reply to {address}."
          address={
            <strong>
              <bdi>{address}</bdi>
            </strong>
          }
        />
      </p>
      <p class="onward">
        <a href="/app">{t('Go to home')}</a>
      </p>
    </Page>
  )
}

function leadOf(form: FormData): ContactLeadBody {
  const [company, website] = [textOf(form, 'company').trim(), textOf(form, 'website')]
  return {
    name: textOf(form, 'name').trim(),
    email: emailOf(form),
    message: textOf(form, 'message').trim(),
    interest: textOf(form, 'interest') as keyof typeof INTERESTS,
    ...(company && { company }),
    ...(website && { website }),
  }
}
