// The first screen of signed-in users: balance, recent work and next steps.
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, session } from '../../data/session.ts'
import { Account } from './account.tsx'
import { BalanceLeft } from './balance-left.tsx'
import { Cap } from './cap.tsx'
import { Checklist } from './checklist.tsx'
import { Recent } from './recent.tsx'
import { Sample } from './sample.tsx'
import { Spend } from './spend.tsx'
import { UnfinishedList, useUnfinished } from './unfinished.tsx'

export default function Home() {
  const { value } = session
  // Remount for another organisation, so that no state of the previous one stays.
  if (value.state === 'in') return <Open key={value.me.orgId} me={value.me} />
  return (
    <section class="sheet home" aria-labelledby="screen-title" aria-busy="true">
      <BalanceLeft me={null} usage={{ state: 'loading' }} />
      <Account me={null} />
    </section>
  )
}

function Open({ me }: { me: Me }) {
  const usage = useResource('home.usage', () => api.me.usage())
  const current = usage.current.value
  const unfinished = useUnfinished(me)
  const hasUsed = current.state === 'ready' && current.value.totals.tokens > 0
  const hasPaid = me.balanceMinor > 0n || hasUsed
  const hasRun = current.state === 'ready' && current.value.totals.bySource.agent !== undefined
  // Render all at once: late parts would move earlier ones.
  const isThere = current.state !== 'loading' && unfinished !== null
  return (
    <section class="sheet home" aria-labelledby="screen-title" aria-busy={!isThere}>
      {/* Side by side where there is room. */}
      <div class="home-top">
        <div>
          <BalanceLeft me={me} usage={current} />
          <Cap me={me} />
          {isThere && (
            <>
              {unfinished.length > 0 && <UnfinishedList unfinished={unfinished} />}
              {current.state === 'ready' && !(hasPaid && hasRun) && (
                <Checklist hasPaid={hasPaid} hasRun={hasRun} />
              )}
            </>
          )}
        </div>
        {isThere && (
          <div>
            {/* New users have no usage to show. */}
            {(hasUsed || current.state === 'failed') && <Spend from={usage} currency={me.currency} />}
            {current.state === 'ready' && !hasRun && <Sample />}
          </div>
        )}
      </div>
      {isThere && (
        <>
          {hasUsed && <Recent currency={me.currency} />}
          <Account me={me} />
        </>
      )}
    </section>
  )
}
