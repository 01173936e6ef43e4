// The audit log of all organisations, with filters, a check of the chain and a CSV download.
import { useSignal } from '@preact/signals'
import type { TargetedSubmitEvent } from 'preact'
import { api } from '../../../data/api.ts'
import { usePages } from '../../../data/paged-resource.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { appLocation } from '../../../router/location.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { PagedList } from '../../../ui/base/paged-list.tsx'
import { Page } from '../../../ui/base/sheet.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { saveCsv } from '../shared/csv.ts'
import { type PickedOrg, PickOrg } from '../shared/pick-org.tsx'
import { AuditChain } from './audit-chain.tsx'
import { AuditEntryRow } from './audit-entry.tsx'

type Filter = { action?: string; actor?: string; from?: string; to?: string }

export default function OpsAudit() {
  const asked = appLocation.peek().query
  const filter = useSignal<Filter>(present({ action: asked.get('action') ?? '' }))
  const org = useSignal<PickedOrg | null>(orgNamed(asked.get('org')))
  const whose = org.value ? { orgId: org.value.id } : { scope: 'all' as const }
  const query = { ...whose, ...filter.value }
  const name = `ops.audit ${JSON.stringify(query)}`
  const entries = usePages('entries', name, (cursor) => api.audit.list({ ...query, limit: 50, ...cursor }))
  const isWhole = useSignal(true)
  const save = useAction(async () => {
    isWhole.value = await saveCsv('cowrie-audit.csv', '/audit', query)
    announce(t('The file is saved.'))
  })
  function apply(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    filter.value = filterIn(new FormData(event.currentTarget))
  }
  return (
    <Page
      title={t('Audit')}
      action={
        <button type="button" aria-disabled={save.busy.value} onClick={() => void save.run()}>
          {save.busy.value ? t('Preparing the file …') : t('Download as CSV')}
        </button>
      }
      width="work"
    >
      <AuditChain />
      <form class="filters" onSubmit={apply}>
        <Filtered
          name="action"
          label={t('Action')}
          value={filter.value.action}
          hint={t('for example settings')}
        />
        <Filtered name="actor" label={t('Who')} hint={t('address or id')} />
        <Day name="from" label={t('From')} />
        <Day name="to" label={t('To')} />
        <PickOrg
          name="audit-org"
          label={t('Organisation')}
          picked={org}
          none={t('All organisations and the platform')}
        />
        <button type="submit">{t('Show')}</button>
      </form>
      {save.failure.value && <ErrorNotice failure={save.failure.value} retry={save.run} />}
      {!isWhole.value && (
        <p class="help">{t('The file has the newest 200 000 entries. Choose days to get the others.')}</p>
      )}
      <PagedList pages={entries} empty={t('No matching entries.')} more={t('Older entries')}>
        {(entry) => <AuditEntryRow entry={entry} />}
      </PagedList>
    </Page>
  )
}

const orgNamed = (id: string | null): PickedOrg | null => (id ? { id, name: id } : null)

const present = (filter: Record<keyof Filter, string> | { action: string }): Filter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))

/** Days are in the time zone of the user; the last one is included. */
function filterIn(form: FormData): Filter {
  return present({
    action: textOf(form, 'action').trim(),
    actor: textOf(form, 'actor').trim(),
    from: startOf(textOf(form, 'from'), 0),
    to: startOf(textOf(form, 'to'), 1),
  })
}

function startOf(day: string, later: number): string {
  const [year, month, date] = day.split('-').map(Number)
  if (!year || !month || !date) return ''
  return new Date(year, month - 1, date + later).toISOString()
}

type FieldProps = { name: string; label: string; hint?: string; value?: string | undefined }

const Filtered = ({ name, label, hint, value }: FieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input
      id={name}
      name={name}
      defaultValue={value}
      placeholder={hint}
      dir="ltr"
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
      maxLength={254}
      {...(name === 'action' && { 'data-search': true })}
    />
  </div>
)

const Day = ({ name, label }: FieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input id={name} name={name} type="date" />
  </div>
)
