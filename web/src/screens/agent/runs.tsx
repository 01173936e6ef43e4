// The runs of the organisation that the API or the CLI made, newest first.
import type { AgentRunsListReply } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { usePages } from '../../data/paged-resource.ts'
import { showsCosts } from '../../data/preferences/switches.ts'
import { session } from '../../data/session.ts'
import { formatDateTime } from '../../i18n/format.ts'
import type { Currency } from '../../i18n/money.ts'
import { t, tn } from '../../i18n/t.ts'
import { Amount } from '../../ui/base/amount.tsx'
import { PagedList } from '../../ui/base/paged-list.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { TextWithCode } from '../../ui/code/text-with-code.tsx'
import { chipOf } from './run-texts.ts'

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
    <Page
      title={t('Past runs')}
      note={t('Runs of the API and the CLI. In the app, work with tasks.')}
      action={
        <a class="button" href="/app/tasks/new">
          {t('New task')}
        </a>
      }
    >
      <PagedList pages={pages} empty={t('No runs yet.')} more={t('Older runs')}>
        {(run) => <Row run={run} currency={currency} />}
      </PagedList>
    </Page>
  )
}

function Row({ run, currency }: { run: Listed; currency: Currency }) {
  const chip = chipOf(run)
  return (
    <div class="row">
      <div>
        <a class="row-name run-link" href={`/app/agent/runs/${run.id}`} dir="auto">
          <TextWithCode text={run.prompt} />
        </a>
        <p class="help">
          <span class={`chip ${chip.class}`}>{t(chip.words)}</span> {formatDateTime(run.createdAt)} ·{' '}
          {tn(run.result?.edits.length ?? 0, '{n} file', '{n} files')}
        </p>
      </div>
      {showsCosts.value && <Amount minor={run.costMinor} currency={currency} />}
    </div>
  )
}
