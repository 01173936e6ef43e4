// Reviews of pull requests, newest first: outcome, findings, cost and skipped files.
import type { ReviewRun } from '@cowrie/sdk'
import type { Pages } from '../../data/paged-resource.ts'
import { formatDateTime } from '../../i18n/format.ts'
import type { Currency } from '../../i18n/money.ts'
import { t, tn } from '../../i18n/t.ts'
import { Amount } from '../../ui/base/amount.tsx'
import { PagedList } from '../../ui/base/paged-list.tsx'
import { SkippedFiles } from '../../ui/files/skipped-files.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { CONCLUSIONS, POLICIES, RUN_STATES } from './review-texts.ts'

type Props = { pages: Pages<ReviewRun>; currency: Currency; onRepo: (repo: string) => void }

export const Runs = ({ pages, currency, onRepo }: Props) => (
  <PagedList
    pages={pages}
    empty={
      <EmptyState
        picture="review"
        title={t('No reviews yet')}
        text={t('Each review of a pull request appears here with its findings and cost.')}
      />
    }
    more={t('More reviews')}
  >
    {(run) => <Run run={run} currency={currency} onRepo={onRepo} />}
  </PagedList>
)

function Run({
  run,
  currency,
  onRepo,
}: {
  run: ReviewRun
  currency: Currency
  onRepo: (repo: string) => void
}) {
  const { repo, pr, title, status, conclusion, counts, files, reason, degraded, notes, notReviewed } = run
  const [said, look] = conclusion ? CONCLUSIONS[conclusion] : [RUN_STATES[status], '']
  const found = (counts.error ?? 0) + (counts.warn ?? 0) + (counts.note ?? 0)
  return (
    <div class="row review-run">
      <div>
        <p class="row-name">
          <bdi dir="ltr">
            {repo} #{pr}
          </bdi>{' '}
          <span class={`chip ${look}`}>{t(said)}</span>{' '}
          {run.isFork && <span class="chip">{t('from a fork')}</span>}
        </p>
        {title !== '' && <p dir="auto">{title}</p>}
        <p class="help">
          {formatDateTime(run.createdAt)} · {t(RUN_STATES[status])} · {tn(files, '{n} file', '{n} files')} ·{' '}
          {tn(found, '{n} finding', '{n} findings')} · <Amount minor={run.costMinor} currency={currency} />
        </p>
        {reason && (
          <p class="help">
            {t('Why it failed:')} <code dir="ltr">{reason}</code>
          </p>
        )}
        {degraded.length > 0 && (
          <p class="help">
            {t('Missing permissions on GitHub prevented:')}{' '}
            <bdi>{degraded.join(', ').replaceAll('_', ' ')}</bdi>{' '}
            <a href="/app/review/settings">{t('Show missing permissions')}</a>
          </p>
        )}
        {notes.map((note) => (
          <p key={note} class="help" dir="auto">
            {note}
          </p>
        ))}
        <SkippedFiles
          files={notReviewed}
          title={tn(notReviewed.length, '{n} file not reviewed', '{n} files not reviewed')}
          reasonOf={(each) => each.replaceAll('_', ' ')}
        />
        <p class="help">{t(POLICIES[run.policy])}</p>
      </div>
      {found > 0 && (
        <button type="button" aria-label={t('Findings in {repo}', { repo })} onClick={() => onRepo(repo)}>
          {t('Findings')}
        </button>
      )}
    </div>
  )
}
