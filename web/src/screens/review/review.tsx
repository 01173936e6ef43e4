// The review bot: findings with verdicts, reviews, and precision.
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { usePages } from '../../data/paged-resource.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { Page } from '../../ui/base/sheet.tsx'
import { Menu } from '../../ui/layout/menu.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { ALL, type Filter, Findings } from './findings/findings.tsx'
import { Precision, Rate } from './precision.tsx'
import { Runs } from './runs.tsx'

const DAYS = 90
const PAGE = 20

export default function Review() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me: { currency } }: { me: Me }) {
  const tab = useSignal('findings')
  const filter = useSignal<Filter>(ALL)
  const precision = useResource('review.precision', () => api.review.precision({ days: DAYS }))
  const runs = usePages('runs', 'review.runs', (from) => api.review.runs.list({ limit: PAGE, ...from }))
  const listed = runs.current.value.state === 'ready' ? runs.current.value.value : []
  const repos = [...new Set(listed.map(({ repo }) => repo))]
  return (
    <Page
      title={t('Review')}
      action={
        <a class="button primary" href="/app/review/scan">
          {t('Scan code')}
        </a>
      }
      menu={
        <Menu label={t('More actions')}>
          <a href="/app/review/settings">{t('Review settings')}</a>
        </Menu>
      }
    >
      <Rate precision={precision} />
      <Tabs
        label={t('Views')}
        chosen={tab}
        tabs={[
          {
            id: 'findings',
            name: t('Findings'),
            view: () => (
              <Findings
                filter={filter}
                repos={repos}
                currency={currency}
                onJudged={() => void precision.load()}
              />
            ),
          },
          {
            id: 'runs',
            name: t('Reviews'),
            view: () => (
              <Runs
                pages={runs}
                currency={currency}
                onRepo={(repo) => {
                  filter.value = { ...ALL, repo }
                  tab.value = 'findings'
                }}
              />
            ),
          },
          { id: 'precision', name: t('Precision'), view: () => <Precision precision={precision} /> },
        ]}
      />
    </Page>
  )
}
