// Money actions that wait for a second member of staff.
import type { Approval } from '@cowrie/sdk'
import { usePages } from '../../data/paged-resource.ts'
import { sendPaidRequest } from '../../data/paid-request.ts'
import { session } from '../../data/session.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { msg, t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Page, Section } from '../../ui/base/sheet.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { DialogButton } from '../../ui/input/dialog-button.tsx'
import { LongField } from '../../ui/input/long-field.tsx'
import { moneyIn } from '../../ui/money/currencies.ts'
import { DeskTable } from './shared/desk-table.tsx'
import { api } from './shared/staff-api.ts'
import { disabledReasonFor } from './shared/tiers.ts'

const STATES: Readonly<Record<Approval['state'], readonly [words: string, chip: string]>> = {
  pending: [msg('Waiting'), 'chip warn'],
  approved: [msg('Approved'), 'chip ok'],
  rejected: [msg('Rejected'), 'chip bad'],
  void: [msg('Void'), 'chip'],
  expired: [msg('Expired'), 'chip'],
}
const KINDS: Readonly<Record<string, string>> = {
  'wallet.refund': msg('Credit'),
  'admin.payments.resolve': msg('Payment under review'),
  'admin.payments.refundToSource': msg('Refund to the payer'),
  'admin.paymentCases.assign': msg('Paybill payment'),
  'admin.disputes.accept': msg('Accepted dispute'),
  'admin.comps.grant': msg('Plan free of charge'),
}

export default function Approvals() {
  const pages = usePages('approvals', 'admin.approvals', (cursor) =>
    api.admin.approvals.list({ limit: 20, status: 'all', ...cursor }),
  )
  return (
    <Page title={t('Approvals')}>
      <p>{t('Amounts above the limit in the settings need a second member of staff within 24 hours.')}</p>
      <Section title={t('Requests')}>
        <DeskTable
          label={t('Requests')}
          pages={pages}
          empty={t('No requests.')}
          more={t('More requests')}
          columns={[
            {
              title: t('Amount'),
              isFigure: true,
              cell: ({ amountMinor, currency }: Approval) => (
                <bdi dir="ltr">{moneyIn(amountMinor, currency)}</bdi>
              ),
            },
            { title: t('Type'), cell: ({ kind }: Approval) => t(KINDS[kind] ?? kind) },
            { title: t('Organisation'), cell: orgOf },
            { title: t('Reason'), cell: ({ reason }: Approval) => <span dir="auto">{reason}</span> },
            { title: t('Requested by'), cell: requesterOf },
            { title: t('Status'), cell: statusOf },
            {
              title: t('Decision'),
              cell: (approval: Approval) => <Decision approval={approval} reload={pages.load} />,
            },
          ]}
        />
      </Section>
    </Page>
  )
}

const orgOf = ({ orgId, orgName }: Approval) => (
  <a class="org-link" href={`/app/ops/orgs/${orgId}?part=money`} dir="auto">
    {orgName}
  </a>
)

const requesterOf = ({ requestedBy, requestedAt }: Approval) => (
  <>
    <bdi>{requestedBy}</bdi> <span class="help">{formatDateTime(requestedAt)}</span>
  </>
)

function statusOf({ state }: Approval) {
  const [words, look] = STATES[state]
  return <span class={look}>{t(words)}</span>
}

type DecisionProps = { approval: Approval; reload: () => Promise<void> }

function Decision({ approval, reload }: DecisionProps) {
  if (approval.state !== 'pending') return <bdi>{approval.decidedBy ?? '–'}</bdi>
  const { value } = session
  const isOwn = value.state === 'in' && value.me.email === approval.requestedBy
  return (
    <div class="choices">
      {!isOwn && <Decide approval={approval} decision="approve" reload={reload} />}
      <Decide
        approval={approval}
        decision="reject"
        label={isOwn ? t('Withdraw') : t('Reject')}
        reload={reload}
      />
    </div>
  )
}

type DecideProps = DecisionProps & { decision: 'approve' | 'reject'; label?: string }

function Decide({ approval, decision, label = t('Approve'), reload }: DecideProps) {
  const { id, amountMinor, currency, orgName, requestedBy } = approval
  return (
    <DialogButton
      label={label}
      name={id}
      question={t('{amount} for {name}', { amount: moneyIn(amountMinor, currency), name: orgName })}
      look={decision === 'approve' ? 'primary' : 'grave'}
      fields={['note']}
      disabledReason={disabledReasonFor('refund')}
      act={async (form) => {
        const note = textOf(form, 'note').trim()
        const { state } = await sendPaidRequest(`approval ${id}`, `${decision} ${note}`, (once) =>
          api.admin.approvals.decide(id, { decision, ...(note && { note }) }, once),
        )
        announce(
          state === 'void'
            ? t('Void: the requester has lost this permission.')
            : t('The request is decided.'),
        )
        await reload()
      }}
    >
      {(failure) => (
        <>
          <p>
            {decision === 'approve'
              ? t('It is done at once. Requested by {who}.', { who: requestedBy })
              : t('Nothing changes. Requested by {who}.', { who: requestedBy })}
          </p>
          <LongField name="note" label={t('Note')} failure={failure} rows={2} maxLength={500} />
        </>
      )}
    </DialogButton>
  )
}
