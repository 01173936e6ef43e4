// Disputes of payers with their banks: undecided ones by deadline.
import type { PaymentDispute } from '@cowrie/sdk'
import { usePages } from '../../../data/paged-resource.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { Page, Section } from '../../../ui/base/sheet.tsx'
import { moneyIn } from '../../../ui/money/currencies.ts'
import { DeskTable } from '../shared/desk-table.tsx'
import { api } from '../shared/staff-api.ts'
import { DISPUTE_TEXTS, disputeStatusOf } from './dispute-texts.ts'

export default function Disputes() {
  return (
    <Page title={t('Disputes')}>
      <Section title={t('Undecided, by deadline')}>
        <List status="open" label={t('Undecided, by deadline')} empty={t('No undecided disputes.')} />
      </Section>
      <Section title={t('Decided')}>
        <List status="decided" label={t('Decided')} empty={t('No decided disputes.')} />
      </Section>
    </Page>
  )
}

type ListProps = { status: 'open' | 'decided'; label: string; empty: string }

function List({ status, label, empty }: ListProps) {
  const pages = usePages('disputes', `admin.disputes ${status}`, (cursor) =>
    api.admin.disputes.list({ limit: 20, status, ...cursor }),
  )
  return (
    <DeskTable
      label={label}
      pages={pages}
      empty={empty}
      more={t('More disputes')}
      columns={[
        { title: t('Deadline'), cell: deadlineOf },
        { title: t('Organisation'), cell: orgOf },
        {
          title: t('Amount'),
          isFigure: true,
          cell: ({ amountMinor, currency }: PaymentDispute) => (
            <bdi dir="ltr">{moneyIn(amountMinor, currency)}</bdi>
          ),
        },
        { title: t('Status'), cell: statusOf },
        { title: t('Provider'), cell: ({ rail }: PaymentDispute) => <bdi>{rail}</bdi> },
      ]}
    />
  )
}

function deadlineOf({ id, dueAt, openedAt }: PaymentDispute) {
  const time = dueAt === null ? t('None named') : formatDateTime(dueAt)
  return (
    <a
      class="org-link"
      href={`/app/ops/disputes/${id}`}
      aria-label={t('{time}: open the dispute of {opened}', { time, opened: formatDateTime(openedAt) })}
    >
      {time}
    </a>
  )
}

const orgOf = ({ orgId, orgName }: PaymentDispute) => (
  <a class="org-link" href={`/app/ops/orgs/${orgId}?part=money`} dir="auto">
    {orgName}
  </a>
)

function statusOf(dispute: PaymentDispute) {
  const [words, look] = DISPUTE_TEXTS[disputeStatusOf(dispute)]
  return <span class={look}>{t(words)}</span>
}
