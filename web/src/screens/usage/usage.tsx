// Usage over a range of days, in groups.
import { useSignal } from '@preact/signals'
import { type Me, session } from '../../data/session.ts'
import { msg, t, tn } from '../../i18n/t.ts'
import { Page } from '../../ui/base/sheet.tsx'
import { Select } from '../../ui/input/select.tsx'
import type { UsageGrouping } from './groups.ts'
import { Members } from './members.tsx'
import { OwnUsage } from './own-usage.tsx'

const RANGES = [7, 30, 90, 365]
const GROUPS: readonly (readonly [UsageGrouping | 'member', string])[] = [
  ['day', msg('Day')],
  ['source', msg('Purpose')],
  ['lane', msg('Lane')],
  ['model', msg('Model')],
  ['member', msg('Member')],
]

export default function Usage() {
  const { value } = session
  // Remount for another organisation, so that no state of the previous one stays.
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const days = useSignal(30)
  const by = useSignal<UsageGrouping | 'member'>('day')
  const isLeader = me.role !== 'member'
  return (
    <Page
      title={t('Usage')}
      action={
        <a class="button" href="/app/usage/requests">
          {t('Show requests')}
        </a>
      }
    >
      <div class="usage-asked">
        <Select
          name="range"
          label={t('Period')}
          value={String(days.value)}
          options={RANGES.map((range) => [String(range), tn(range, 'Last {n} day', 'Last {n} days')])}
          onChoose={(value) => {
            days.value = Number(value)
          }}
          disabled={by.value === 'member'}
        />
        <Select
          name="group"
          label={t('Group by')}
          value={by.value}
          options={GROUPS.map(([name, words]) => [name, t(words)])}
          onChoose={(value) => {
            by.value = value as UsageGrouping | 'member'
          }}
        />
      </div>
      {by.value !== 'member' && <OwnUsage key={days.value} me={me} days={days.value} by={by.value} />}
      {by.value === 'member' && isLeader && <Members me={me} />}
      {by.value === 'member' && !isLeader && (
        <p class="help">{t('Only owners and administrators see usage by member.')}</p>
      )}
    </Page>
  )
}
