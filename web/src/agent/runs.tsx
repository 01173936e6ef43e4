// The runs of the organisation, the newest first.
import type { AgentRunsListReply } from '@cowrie/sdk'
import { api } from '../api.ts'
import { Amount } from '../app/amount.tsx'
import { Paged } from '../app/paged.tsx'
import { usePages } from '../app/pages.ts'
import { Sheet } from '../app/sheet.tsx'
import { showsCosts } from '../app/show-costs.ts'
import { moment } from '../app/words.ts'
import { t, tn } from '../i18n/t.ts'
import { session } from '../identity/session.ts'
import { Coded } from '../kit/coded.tsx'
import type { Currency } from '../money.ts'
import { chipOf } from './words.ts'

const PAGE = 20

type Listed = AgentRunsListReply['runs'][number]

export default function Runs() {
  const current = session.value
  if (current.state !== 'in') return null
  return <List key={current.me.orgId} currency={current.me.currency} />
}

function List({ currency }: { currency: Currency }) {
  const pages = usePages('runs', 'agent runs', (from) => api.agent.runs.list({ limit: PAGE, ...from }))
  return (
    <Sheet title={t('Past runs')} wide>
      <p class="onward">
        <a href="/app/agent">{t('New run')}</a>
      </p>
      <Paged
        pages={pages}
        empty={t('No run yet. The first one costs no more than it says.')}
        more={t('Older runs')}
      >
        {(run) => <Row run={run} currency={currency} />}
      </Paged>
    </Sheet>
  )
}

function Row({ run, currency }: { run: Listed; currency: Currency }) {
  const chip = chipOf(run)
  return (
    <div class="row">
      <div>
        <a class="row-name run-link" href={`/app/agent/runs/${run.id}`} dir="auto">
          <Coded text={run.prompt} />
        </a>
        <p class="help">
          {moment(run.createdAt)} · {tn(run.result?.edits.length ?? 0, '{n} file', '{n} files')}
        </p>
      </div>
      <span class={`chip ${chip.class}`}>{t(chip.words)}</span>
      {showsCosts.value && <Amount minor={run.costMinor} currency={currency} />}
    </div>
  )
}
