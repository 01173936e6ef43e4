// The verification of a business: status, comment of the reviewer, and the form.
import type { KycGetReply, KycRecord } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, reloadSession } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Facts } from '../../ui/base/facts.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'
import { Step, type StepState, Steps } from '../../ui/layout/steps.tsx'

const FIELDS = ['businessName', 'registrationNumber', 'contactEmail', 'documentRef']

export function Verification({ me }: { me: Me }) {
  const kyc = useResource('kyc', () => api.kyc.get())
  const current = kyc.current.value
  return (
    <Section title={t('Verified business')}>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={kyc.load} />}
      {current.state === 'loading' && <span class="blank verification-place" aria-busy="true" />}
      {current.state === 'ready' && (
        <VerificationStatus
          kyc={current.value}
          me={me}
          onSent={async () => {
            await Promise.all([kyc.load(), reloadSession()])
          }}
        />
      )}
    </Section>
  )
}

type Props = { kyc: KycGetReply; me: Me; onSent: () => Promise<void> }

function VerificationStatus({ kyc: { status, record }, me, onSent }: Props) {
  const isOpen = useSignal(false)
  const mayWrite = me.role !== 'member'
  const [sent, checked, verified] = STATES[status]
  const asksAtOnce = status === 'unsubmitted' || isOpen.value
  return (
    <>
      <Steps label={t('Verification')}>
        <Step state={sent} title={t('Submit business details')}>
          {record && <p class="help">{formatDateTime(record.submittedAt)}</p>}
        </Step>
        <Step state={checked} title={status === 'pending' ? t('In review') : t('Review by our team')} />
        <Step state={verified} title={status === 'rejected' ? t('Not verified') : t('Verified')}>
          {record?.reviewedAt && <p class="help">{formatDateTime(record.reviewedAt)}</p>}
        </Step>
      </Steps>
      {record && record.reviewerNotes !== '' && (
        <blockquote class="notes" dir="auto">
          <p class="small-title">{t('Reviewer comment')}</p>
          <p data-testid="reviewer-notes">{record.reviewerNotes}</p>
        </blockquote>
      )}
      {record && <SentDetails record={record} />}
      {status !== 'verified' && !mayWrite && (
        <p class="help">{t('Only an owner or administrator can send these.')}</p>
      )}
      {status !== 'verified' && mayWrite && !asksAtOnce && (
        <div class="choices">
          <button
            type="button"
            class={status === 'rejected' ? 'primary' : undefined}
            onClick={() => {
              isOpen.value = true
            }}
          >
            {status === 'rejected' ? t('Resubmit') : t('Edit details')}
          </button>
        </div>
      )}
      {status !== 'verified' && mayWrite && asksAtOnce && (
        <Details
          record={record}
          onSent={async () => {
            await onSent()
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}

const STATES: Readonly<Record<KycGetReply['status'], readonly [StepState, StepState, StepState]>> = {
  unsubmitted: ['now', 'next', 'next'],
  pending: ['done', 'now', 'next'],
  verified: ['done', 'done', 'done'],
  rejected: ['done', 'done', 'failed'],
}

const SentDetails = ({ record }: { record: KycRecord }) => (
  <Facts
    lines={[
      [t('Business'), record.businessName],
      [t('Registration number'), record.registrationNumber || '–'],
      [t('Contact'), record.contactEmail || '–'],
      [t('Documents'), record.documentRef || '–'],
    ]}
  />
)

function Details({ record, onSent }: { record: KycRecord | null; onSent: () => Promise<void> }) {
  const action = useAction(async (form: FormData) => {
    const given = Object.fromEntries(
      FIELDS.map((name) => [name, textOf(form, name).trim()]).filter(([, value]) => value !== ''),
    )
    await api.kyc.submit({ businessName: '', ...given })
    await onSent()
    announce(t('Details submitted.'))
    document.getElementById('screen-title')?.focus()
  })
  const failure = action.failure.value
  return (
    <Form
      action={action}
      submit={record ? t('Send again') : t('Submit for verification')}
      busy={t('Sending …')}
      fields={FIELDS}
      back="businessName"
    >
      <Field
        name="businessName"
        label={t('Name of the business, as it is registered')}
        failure={failure}
        value={record?.businessName ?? ''}
        required
        maxLength={200}
        dir="auto"
        autocomplete="organization"
      />
      <Field
        name="registrationNumber"
        label={t('Registration number')}
        failure={failure}
        value={record?.registrationNumber ?? ''}
        maxLength={100}
        dir="ltr"
        autocomplete="off"
      />
      <Field
        name="contactEmail"
        label={t('Email for questions')}
        help={t('This address and the owners receive the result.')}
        failure={failure}
        type="email"
        value={record?.contactEmail ?? ''}
        dir="ltr"
        autocomplete="email"
      />
      <Field
        name="documentRef"
        label={t('Location of the documents')}
        help={t('A link or reference to your documents. Do not send files.')}
        failure={failure}
        value={record?.documentRef ?? ''}
        maxLength={500}
        dir="auto"
        autocomplete="off"
      />
    </Form>
  )
}
