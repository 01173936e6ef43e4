// The claim of one business: details, documents and decision.
import type { KycRecord } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Copyable } from '../../../ui/base/copyable.tsx'
import { Facts } from '../../../ui/base/facts.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { Dialog } from '../../../ui/input/dialog-button.tsx'
import { LongField } from '../../../ui/input/long-field.tsx'
import { useKeys } from '../../../ui/layout/use-keys.ts'
import { disabledReasonFor, KYC_TEXTS } from '../orgs/org-texts.ts'
import { api } from '../shared/staff-api.ts'

type Props = { record: KycRecord; onBack: () => void; onDecided: () => Promise<void> }
type Decision = 'verified' | 'rejected'

export function KycClaim({ record, onBack, onDecided }: Props) {
  const { orgId, orgName, businessName, status, reviewerNotes } = record
  const [words, look] = KYC_TEXTS[status]
  const asked = useSignal<Decision | null>(null)
  const disabledReason = disabledReasonFor('kyc')
  const isOpen = status === 'pending' && disabledReason === null
  const ask = (decision: Decision) => {
    if (isOpen) asked.value = decision
  }
  useKeys({ v: () => ask('verified'), r: () => ask('rejected') })
  return (
    <section class="pane" aria-label={t('Business details of {name}', { name: businessName })}>
      <button type="button" class="plain pane-back" onClick={onBack}>
        {t('Back to the queue')}
      </button>
      <h2 dir="auto">{businessName}</h2>
      <p class="chips">
        <span class={look}>{t(words)}</span>
      </p>
      <Facts
        lines={[
          [
            t('Organisation'),
            <a key="org" class="org-link" href={`/app/ops/orgs/${orgId}`}>
              {orgName}
            </a>,
          ],
          [t('Registration number'), record.registrationNumber || '–'],
          [t('Contact'), record.contactEmail || '–'],
          [t('Submitted'), formatDateTime(record.submittedAt)],
          [t('Reviewed'), record.reviewedAt ? formatDateTime(record.reviewedAt) : '–'],
        ]}
      />
      <h3>{t('Documents')}</h3>
      {record.documentRef ? (
        <Copyable text={record.documentRef} label={t('the reference of the documents')} />
      ) : (
        <p class="help">{t('No reference.')}</p>
      )}
      {reviewerNotes !== '' && (
        <blockquote class="notes" dir="auto">
          <p class="small-title">{t('Reviewer comment')}</p>
          <p>{reviewerNotes}</p>
        </blockquote>
      )}
      {status === 'pending' && (
        <>
          <div class="choices">
            <button
              type="button"
              class="primary"
              aria-keyshortcuts="V"
              disabled={disabledReason !== null}
              onClick={() => ask('verified')}
            >
              {t('Verify')}{' '}
              <span class="key" aria-hidden="true">
                V
              </span>
            </button>
            <button
              type="button"
              class="grave"
              aria-keyshortcuts="R"
              disabled={disabledReason !== null}
              onClick={() => ask('rejected')}
            >
              {t('Reject')}{' '}
              <span class="key" aria-hidden="true">
                R
              </span>
            </button>
          </div>
          {disabledReason === null ? (
            <p class="help pane-keys">{t('Press J and K to move.')}</p>
          ) : (
            <p class="help needs">{disabledReason}</p>
          )}
        </>
      )}
      {asked.value && (
        <Decide
          decision={asked.value}
          record={record}
          onClose={() => {
            asked.value = null
          }}
          onDecided={onDecided}
        />
      )}
    </section>
  )
}

type DecideProps = {
  decision: Decision
  record: KycRecord
  onClose: () => void
  onDecided: () => Promise<void>
}

function Decide({ decision, record, onClose, onDecided }: DecideProps) {
  const name = record.businessName
  const isYes = decision === 'verified'
  return (
    <Dialog
      label={isYes ? t('Verify') : t('Reject')}
      question={isYes ? t('Verify {name}?', { name }) : t('Reject {name}?', { name })}
      {...(!isYes && { look: 'grave' })}
      fields={['notes']}
      onClose={onClose}
      act={async (form) => {
        const notes = textOf(form, 'notes').trim()
        await api.admin.kyc.review(record.orgId, {
          status: decision,
          submittedAt: record.submittedAt,
          ...(notes && { notes }),
        })
        announce(isYes ? t('{name} is verified.', { name }) : t('{name} is rejected.', { name }))
        await onDecided()
      }}
    >
      {(failure) => (
        <>
          <p>
            {isYes
              ? t('{name} may do work that requires a verified business. Its owners are notified by email.', {
                  name,
                })
              : t('{name} sees your notes and can submit again. Its owners are notified by email.', {
                  name,
                })}
          </p>
          <LongField
            name="notes"
            label={isYes ? t('Notes (visible to the customer)') : t('Problem (visible to the customer)')}
            failure={failure}
            required={!isYes}
            maxLength={2_000}
          />
        </>
      )}
    </Dialog>
  )
}
