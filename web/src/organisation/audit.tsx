// Who did what in this organisation. Each entry carries the hash of the one before it: nothing can be changed unseen.
import type { AuditListQuery } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../api.ts'
import { Field } from '../app/field.tsx'
import { textOf } from '../app/form.tsx'
import { Paged } from '../app/paged.tsx'
import { usePages } from '../app/pages.ts'
import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'
import { type Me, session } from '../identity/session.ts'
import { CsvButton } from '../kit/csv-button.tsx'
import { AuditEntry } from './audit-entry.tsx'
import { downloadAudit } from './audit-file.ts'
import { Chain } from './chain.tsx'

type Filter = Pick<AuditListQuery, 'action' | 'actor' | 'from' | 'to'>

export default function Audit() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  return (
    <Sheet title={t('Audit log')} wide>
      <p>{t('Who did what, in order. What is written here cannot be changed or taken away unseen.')}</p>
      {me.role === 'member' ? (
        <p class="help">{t('Only owners and administrators of your organisation can read it.')}</p>
      ) : (
        <Log />
      )}
    </Sheet>
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
      <Chain />
      <Filters
        onChoose={(wanted) => {
          filter.value = wanted
        }}
      />
      <Paged
        key={JSON.stringify(chosen)}
        pages={pages}
        empty={t('Nothing like that was done here.')}
        more={t('Older entries')}
      >
        {(entry) => <AuditEntry entry={entry} />}
      </Paged>
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
      <button type="submit">{t('Show')}</button>
      <button type="reset" class="plain">
        {t('Everything')}
      </button>
    </form>
  )
}

const DayField = ({ name, label }: { name: string; label: string }) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input id={name} name={name} type="date" />
  </div>
)

/** Days are the reader's own; the last one counts as a whole. */
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
