// The audit log of the organisation. Each entry contains the hash of the previous one, so changes are detected.
import type { AuditListQuery } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { usePages } from '../../../data/paged-resource.ts'
import { type Me, session } from '../../../data/session.ts'
import { t } from '../../../i18n/t.ts'
import { PagedList } from '../../../ui/base/paged-list.tsx'
import { Page } from '../../../ui/base/sheet.tsx'
import { CsvButton } from '../../../ui/files/csv-button.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { AuditChain } from './audit-chain.tsx'
import { AuditEntry } from './audit-entry.tsx'
import { downloadAudit } from './audit-file.ts'

type Filter = Pick<AuditListQuery, 'action' | 'actor' | 'from' | 'to'>

export default function Audit() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  return (
    <Page title={t('Audit log')} note={t('Every action in order. Changes to the log are detected.')}>
      {me.role === 'member' ? (
        <p class="help">{t('Only owners and administrators can read the log.')}</p>
      ) : (
        <Log />
      )}
    </Page>
  )
}

function Log() {
  const filter = useSignal<Filter>({})
  const chosen = filter.value
  const pages = usePages('entries', `audit ${JSON.stringify(chosen)}`, (cursor) =>
    api.audit.list({ limit: 25, ...chosen, ...cursor }),
  )
  return (
    <>
      <AuditChain />
      <Filters
        onChoose={(wanted) => {
          filter.value = wanted
        }}
      />
      <PagedList
        key={JSON.stringify(chosen)}
        pages={pages}
        empty={t('No matching entries.')}
        more={t('Older entries')}
      >
        {(entry) => <AuditEntry entry={entry} />}
      </PagedList>
      <CsvButton
        download={() => downloadAudit(chosen)}
        cut={t('The file has the newest {n} entries. Choose days to get older ones.', { n: '10,000' })}
      />
    </>
  )
}

function Filters({ onChoose }: { onChoose: (filter: Filter) => void }) {
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(filterIn(new FormData(event.currentTarget)))
      }}
      onReset={() => onChoose({})}
    >
      <Field
        name="action"
        label={t('Action')}
        placeholder="keys"
        dir="ltr"
        autocomplete="off"
        maxLength={100}
      />
      <Field name="actor" label={t('Who')} placeholder="ada@example.com" dir="ltr" autocomplete="off" />
      <DayField name="from" label={t('From')} />
      <DayField name="to" label={t('Until')} />
      <button type="submit">{t('Filter')}</button>
      <button type="reset">{t('Clear')}</button>
    </form>
  )
}

const DayField = ({ name, label }: { name: string; label: string }) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input id={name} name={name} type="date" />
  </div>
)

/** Days are in the time zone of the user; the last one is included. */
function filterIn(form: FormData): Filter {
  const given = (name: string) => textOf(form, name).trim()
  const [action, actor, from, to] = ['action', 'actor', 'from', 'to'].map(given)
  return {
    ...(action && { action }),
    ...(actor && { actor }),
    ...(from && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to && { to: dayAfter(to).toISOString() }),
  }
}

function dayAfter(day: string): Date {
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + 1)
  return date
}
