// Searches the code index from the composer. A result is named in the task and the model reads it from the index. It is
// not added as a file, because the model would take the excerpt for the whole file.
import type { SearchReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { ownRepo } from '../../repo-index/chosen-repo.ts'

const HITS = 8

type Hit = SearchReply['hits'][number]

export function IndexSearch({ onMention }: { onMention: (place: string) => void }) {
  const query = useSignal('')
  const hits = useSignal<readonly Hit[] | null>(null)
  const { run, busy, failure } = useAction(async () => {
    const wanted = query.peek().trim()
    if (wanted !== '')
      hits.value = (await api.index.search({ ...ownRepo(), query: wanted, limit: HITS })).hits
  })
  return (
    <details class="index-search">
      <summary>{t('Search your code index')}</summary>
      <div class="answer">
        <input
          type="search"
          dir="auto"
          aria-label={t('Search the code index')}
          maxLength={500}
          value={query.value}
          onInput={(event) => {
            query.value = event.currentTarget.value
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // Enter must not submit the surrounding form.
            event.preventDefault()
            void run()
          }}
        />
        <button type="button" class="beside" aria-disabled={busy.value} onClick={() => void run()}>
          {t('Find')}
        </button>
      </div>
      {failure.value && <ErrorNotice failure={failure.value} />}
      {hits.value?.length === 0 && (
        <p class="help" role="status">
          {t('No matches. Add files under Code index.')}
        </p>
      )}
      {hits.value && hits.value.length > 0 && (
        <ul class="rows">
          {hits.value.map((hit) => (
            <Found key={placeOf(hit)} hit={hit} onMention={onMention} />
          ))}
        </ul>
      )}
    </details>
  )
}

const placeOf = ({ path, startLine, endLine }: Hit): string => `${path}:${startLine}-${endLine}`

const Found = ({ hit, onMention }: { hit: Hit; onMention: (place: string) => void }) => (
  <li class="row">
    <div>
      <p class="row-name">
        <bdi dir="ltr">{placeOf(hit)}</bdi>
      </p>
      <p class="help">
        <bdi dir="ltr">{hit.symbol || hit.content.trim().split('\n', 1)[0]?.slice(0, 80)}</bdi>
      </p>
    </div>
    <button
      type="button"
      aria-label={t('Mention {place} in the task', { place: placeOf(hit) })}
      onClick={() => onMention(placeOf(hit))}
    >
      {t('Mention')}
    </button>
  </li>
)
