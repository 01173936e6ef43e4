// The registration of invoices with the tax authority, those that need attention first.
import type { AdminEinvoicesListReply } from '@cowrie/sdk'
import { type Pages, usePages } from '../../../data/paged-resource.ts'
import { sendPaidRequest } from '../../../data/paid-request.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { msg, t } from '../../../i18n/t.ts'
import { appLocation, navigate } from '../../../router/location.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Page, Section } from '../../../ui/base/sheet.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { moneyIn } from '../../../ui/money/currencies.ts'
import { disabledReasonFor } from '../orgs/org-texts.ts'
import { DeskTable } from '../shared/desk-table.tsx'
import { api } from '../shared/staff-api.ts'

type EInvoice = AdminEinvoicesListReply['einvoices'][number]
type State = EInvoice['state']

const STATE_TEXTS: Readonly<Record<State, readonly [words: string, chip: string]>> = {
  rejected: [msg('Rejected'), 'chip bad'],
  unclear: [msg('Unclear'), 'chip warn'],
  waiting: [msg('Waiting'), 'chip'],
  sent: [msg('Sent'), 'chip'],
  accepted: [msg('Registered'), 'chip ok'],
}

export default function EInvoices() {
  const given = appLocation.value.query.get('state') ?? ''
  const state = Object.hasOwn(STATE_TEXTS, given) ? (given as State) : null
  return (
    <Page title={t('E-invoices')}>
      <Section title={t('Registrations with the tax authority')}>
        <search class="filters">
          <Select
            name="state"
            label={t('Status')}
            value={state ?? ''}
            onChoose={(value) =>
              navigate(value ? `/app/ops/einvoices?state=${value}` : '/app/ops/einvoices', { replace: true })
            }
            options={[
              ['', t('All')],
              ...Object.entries(STATE_TEXTS).map(([key, [words]]) => [key, t(words)] as const),
            ]}
          />
        </search>
        <List key={state ?? 'all'} state={state} />
      </Section>
    </Page>
  )
}

function List({ state }: { state: State | null }) {
  const pages = usePages('einvoices', `admin.einvoices ${state ?? 'all'}`, (cursor) =>
    api.admin.einvoices.list({ limit: 20, ...(state && { state }), ...cursor }),
  )
  return (
    <DeskTable
      label={t('Registrations with the tax authority')}
      pages={pages}
      empty={t('No matching documents.')}
      more={t('Older documents')}
      columns={[
        { title: t('Number'), cell: ({ number }) => <bdi dir="ltr">{number}</bdi> },
        { title: t('Time'), cell: ({ createdAt }) => formatDateTime(createdAt) },
        { title: t('Organisation'), cell: orgOf },
        {
          title: t('Amount'),
          isFigure: true,
          cell: ({ totalMinor, currency }) => <bdi dir="ltr">{moneyIn(totalMinor, currency)}</bdi>,
        },
        { title: t('Status'), cell: (document) => statusOf(document, pages) },
        { title: t('Reason'), cell: reasonOf },
      ]}
    />
  )
}

const orgOf = ({ orgId, orgName }: EInvoice) => (
  <a class="org-link" href={`/app/ops/orgs/${orgId}?part=money`} dir="auto">
    {orgName}
  </a>
)

const reasonOf = ({ reasons, failure, authorityId }: EInvoice) => {
  const text = reasons.join(' ') || failure || authorityId
  return text && <span dir="auto">{text}</span>
}

function statusOf({ id, number, state, orgName }: EInvoice, pages: Pages<EInvoice>) {
  const [words, look] = STATE_TEXTS[state]
  return (
    <>
      <span class={look}>{t(words)}</span>
      {(state === 'rejected' || state === 'unclear') && (
        <DialogButton
          label={t('Retry')}
          name={number}
          question={t('Send {number} of {name} again?', { number, name: orgName })}
          disabledReason={disabledReasonFor('payments')}
          act={async () => {
            await sendPaidRequest(`einvoice ${id}`, state, (once) => api.admin.einvoices.retry(id, once))
            await pages.load()
            announce(t('The document is sent again.'))
          }}
        >
          <p>{t('Correct the cause first. The numbers of the document do not change.')}</p>
        </DialogButton>
      )}
    </>
  )
}
