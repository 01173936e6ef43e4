// The conversations, newest first: a separate screen on a phone, a column elsewhere.
import type { Thread } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useAction } from '../../data/use-action.ts'
import { msg, t, tn } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { loadMoreThreads, loadThreads, type ThreadListState, useThreadList } from './thread-store.ts'

/** Shorter lists are read faster than searched. */
const SEARCHED_FROM = 6
const DAY_MS = 86_400_000

export function ThreadList() {
  const isArchived = useSignal(false)
  const words = useSignal('')
  const list = useThreadList(isArchived.value)
  const hasMany = list.state === 'ready' && list.threads.length >= SEARCHED_FROM
  return (
    <div class="shelf">
      <a class="button primary" href="/app/chat/new">
        {t('New chat')}
      </a>
      {hasMany && (
        <input
          type="search"
          dir="auto"
          aria-label={t('Search by name')}
          placeholder={t('Search by name')}
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value
          }}
        />
      )}
      <Rows list={list} words={hasMany ? words.value : ''} isArchived={isArchived.value} />
      {list.state !== 'loading' && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            isArchived.value = !isArchived.value
          }}
        >
          {isArchived.value ? t('Back to chats') : t('Show archive')}
        </button>
      )}
    </div>
  )
}

type RowsProps = { list: ThreadListState; words: string; isArchived: boolean }

function Rows({ list, words, isArchived }: RowsProps) {
  const more = useAction(() => loadMoreThreads(isArchived))
  if (list.state === 'failed')
    return <ErrorNotice failure={list.failure} retry={() => loadThreads(isArchived)} />
  if (list.state === 'loading')
    return (
      <div class="thread-rows" aria-busy="true">
        <span class="blank row" />
        <span class="blank row" />
        <span class="blank row" />
      </div>
    )
  const wanted = words.trim().toLocaleLowerCase()
  // A conversation gets its name with the first message; one without is not worth a row.
  const named = list.threads.filter(({ title, busy }) => title !== '' || busy)
  const found = named.filter(({ title }) => title.toLocaleLowerCase().includes(wanted))
  return (
    <>
      {found.length === 0 && <p class="help">{nothing(wanted, isArchived, named.length)}</p>}
      {byAge(found).map(([age, threads]) => (
        <section key={age} class="thread-group" aria-label={t(age)}>
          <h2 class="small-title">{t(age)}</h2>
          <ul class="thread-rows">
            {threads.map((thread) => (
              <li key={thread.id}>
                <ThreadLink thread={thread} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {more.failure.value && <ErrorNotice failure={more.failure.value} />}
      {list.nextCursor !== null && (
        <button type="button" aria-disabled={more.busy.value} onClick={() => void more.run()}>
          {wanted ? t('Search older chats') : t('Show older chats')}
        </button>
      )}
    </>
  )
}

const AGES = [msg('Today'), msg('Yesterday'), msg('Last 7 days'), msg('Earlier')] as const

function byAge(threads: readonly Thread[]): [string, Thread[]][] {
  const today = new Date().setHours(0, 0, 0, 0)
  const ageOf = ({ updatedAt }: Thread) => {
    const days = (today - Date.parse(updatedAt)) / DAY_MS
    return days <= 0 ? 0 : days <= 1 ? 1 : days <= 7 ? 2 : 3
  }
  return AGES.flatMap((age, at) => {
    const some = threads.filter((thread) => ageOf(thread) === at)
    return some.length > 0 ? [[age, some] as [string, Thread[]]] : []
  })
}

function nothing(wanted: string, isArchived: boolean, searched: number): string {
  if (wanted) return tn(searched, 'No match in {n} chat.', 'No match in {n} chats.')
  return isArchived ? t('The archive is empty.') : t('No chats yet.')
}

/** The address is read when it is drawn: a new conversation gets its own after the first message. */
function ThreadLink({ thread: { id, title, busy } }: { thread: Thread }) {
  const href = `/app/chat/${id}`
  return (
    <a href={href} aria-current={location.pathname === href ? 'page' : undefined} title={title}>
      <span class="thread-title" dir="auto">
        {title || t('New chat')}
      </span>
      {busy && <span class="thread-when">{t('writing …')}</span>}
    </a>
  )
}
