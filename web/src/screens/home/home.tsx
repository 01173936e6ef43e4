// The first screen of signed-in users: what needs them, what they were doing, what is left, and what it costs.
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { BalanceLeft } from './balance-left.tsx'
import { Cap } from './cap.tsx'
import { Checklist } from './checklist.tsx'
import { ContinueLists } from './continue.tsx'
import { startOfLastMonth } from './months.ts'
import { NeedsYou, needsOf } from './needs-you.tsx'
import { Sample } from './sample.tsx'
import { Spend } from './spend.tsx'
import { useTopupNeeds } from './topup-needs.ts'

export default function Home() {
  const { value } = session
  // Remount for another organisation, so that no state of the previous one stays.
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : <Waiting />
}

const NewTask = () => (
  <a class="button primary" href="/app/tasks/new">
    {t('New task')}
  </a>
)

const Waiting = () => (
  <Page title={t('Home')} width="work" action={<NewTask />}>
    <div class="home" aria-busy="true">
      <div class="home-left" />
      <div class="home-right">
        <BalanceLeft me={null} usage={{ state: 'loading' }} />
      </div>
    </div>
  </Page>
)

/** The stored low-balance threshold, which only owners and administrators may read. */
function useThreshold({ role }: Me): bigint | null | 'loading' {
  const settings = useResource('wallet.settings', () =>
    role === 'member' ? Promise.resolve(null) : api.wallet.settings.get(),
  )
  const { value } = settings.current
  if (value.state === 'loading') return 'loading'
  return value.state === 'ready' && value.value ? value.value.lowBalanceThresholdMinor : null
}

function Open({ me }: { me: Me }) {
  const usage = useResource('home.usage', () => api.me.usage({ from: startOfLastMonth(new Date()) }))
  const tasks = useResource('home.tasks', () => api.tasks.list({ limit: 6, mine: true }))
  const current = usage.current.value
  const topups = useTopupNeeds(me)
  const threshold = useThreshold(me)
  const listed = tasks.current.value
  const hasUsed = current.state === 'ready' && current.value.totals.tokens > 0
  const hasPaid = me.balanceMinor > 0n || hasUsed
  const hasRun =
    (listed.state === 'ready' && listed.value.tasks.length > 0) ||
    (current.state === 'ready' && current.value.totals.bySource.agent !== undefined)
  // Render all at once: late parts would move earlier ones.
  const isThere =
    current.state !== 'loading' && listed.state !== 'loading' && topups !== null && threshold !== 'loading'
  const needs = isThere
    ? needsOf({
        me,
        topups,
        tasks: listed.state === 'ready' ? listed.value.tasks : [],
        usage: current.state === 'ready' ? current.value : null,
        thresholdMinor: threshold,
      })
    : []
  return (
    <Page title={t('Home')} width="work" action={<NewTask />}>
      <div class="home" aria-busy={!isThere}>
        <div class="home-left">
          {isThere && (
            <>
              {needs.length > 0 && <NeedsYou needs={needs} />}
              {current.state === 'ready' && !(hasPaid && hasRun) && (
                <Checklist hasPaid={hasPaid} hasTrial={me.trialMinor > 0n} hasRun={hasRun} />
              )}
              {current.state === 'ready' && !hasRun && <Sample />}
              {(hasRun || hasUsed) && <ContinueLists tasks={tasks} currency={me.currency} />}
            </>
          )}
        </div>
        <div class="home-right">
          <BalanceLeft me={me} usage={current} />
          <Cap me={me} />
          {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={usage.load} />}
          {/* New users have no usage to show. */}
          {isThere && current.state === 'ready' && hasUsed && (
            <Spend usage={current.value} currency={me.currency} />
          )}
        </div>
      </div>
    </Page>
  )
}
