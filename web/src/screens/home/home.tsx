// The first screen of who is signed in: what is left, what happened, and what to do next.
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, session } from '../../data/session.ts'
import { Account } from './account.tsx'
import { Left } from './balance-left.tsx'
import { Cap } from './cap.tsx'
import { Checklist } from './checklist.tsx'
import { Recent } from './recent.tsx'
import { Sample } from './sample.tsx'
import { Spend } from './spend.tsx'
import { Resume, useUnfinished } from './unfinished.tsx'

export default function Home() {
  const { value } = session
  // Another organisation has another wallet and other work: nothing of the last one may stay on the screen.
  if (value.state === 'in') return <Open key={value.me.orgId} me={value.me} />
  return (
    <section class="sheet home" aria-labelledby="screen-title" aria-busy="true">
      <Left me={null} usage={{ state: 'loading' }} />
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
  // All at once: what comes late would push away what is being read.
  const isThere = current.state !== 'loading' && unfinished !== null
  return (
    <section class="sheet home" aria-labelledby="screen-title" aria-busy={!isThere}>
      {/* Beside each other where there is room: what is left and to do, and where it went. */}
      <div class="home-top">
        <div>
          <Left me={me} usage={current} />
          <Cap me={me} />
          {isThere && (
            <>
              {unfinished.length > 0 && <Resume unfinished={unfinished} />}
              {current.state === 'ready' && !(hasPaid && hasRun) && (
                <Checklist hasPaid={hasPaid} hasRun={hasRun} />
              )}
            </>
          )}
        </div>
        {isThere && (
          <div>
            {/* A newcomer has done nothing yet, and is not shown it in five ways. */}
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
