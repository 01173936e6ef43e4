// The conversations, newest first: a separate screen on a phone, a column elsewhere.
import type { Thread } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useAction } from '../../data/use-action.ts'
import { formatDate } from '../../i18n/format.ts'
import { t, tn } from '../../i18n/t.ts'
import { appLocation, navigate } from '../../router/location.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import {
  emptyThread,
  loadMoreThreads,
  loadThreads,
  type ThreadListState,
  useThreadList,
} from './thread-store.ts'

export const NewChat = ({ isPrimary = false }: { isPrimary?: boolean }) => {
  const begin = useAction(async () => navigate(`/app/chat/${await emptyThread()}`))
  return (
    <>
      <button
        type="button"
        class={isPrimary ? 'primary' : undefined}
        aria-disabled={begin.busy.value}
        onClick={() => void begin.run()}
      >
        {t('New chat')}
      </button>
      {begin.failure.value && <ErrorNotice failure={begin.failure.value} />}
    </>
  )
}

export function ThreadList() {
  const isArchived = useSignal(false)
  const words = useSignal('')
  const shelf = useThreadList(isArchived.value)
  const hasSome = shelf.state !== 'ready' || shelf.threads.length > 0
  return (
    <div class="shelf">
      <NewChat isPrimary />
      {hasSome && (
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
      <Rows shelf={shelf} words={words.value} isArchived={isArchived.value} />
      {shelf.state !== 'loading' && (
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

type RowsProps = { shelf: ThreadListState; words: string; isArchived: boolean }

function Rows({ shelf, words, isArchived }: RowsProps) {
  const more = useAction(() => loadMoreThreads(isArchived))
  if (shelf.state === 'failed')
    return <ErrorNotice failure={shelf.failure} retry={() => loadThreads(isArchived)} />
  if (shelf.state === 'loading')
    return (
      <div class="thread-rows" aria-busy="true">
        <span class="blank row" />
        <span class="blank row" />
        <span class="blank row" />
      </div>
    )
  const wanted = words.trim().toLocaleLowerCase()
  const found = shelf.threads.filter(({ title }) => title.toLocaleLowerCase().includes(wanted))
  return (
    <>
      {found.length === 0 ? (
        <p class="help">{nothing(wanted, isArchived, shelf.threads.length)}</p>
      ) : (
        <ul class="thread-rows" aria-label={isArchived ? t('Archived chats') : t('Chats')}>
          {found.map((thread) => (
            <li key={thread.id}>
              <ThreadLink thread={thread} />
            </li>
          ))}
        </ul>
      )}
      {more.failure.value && <ErrorNotice failure={more.failure.value} />}
      {shelf.nextCursor !== null && (
        <button type="button" aria-disabled={more.busy.value} onClick={() => void more.run()}>
          {wanted ? t('Search older chats') : t('Show older chats')}
        </button>
      )}
    </>
  )
}

function nothing(wanted: string, isArchived: boolean, searched: number): string {
  if (wanted) return tn(searched, 'No match in {n} chat.', 'No match in {n} chats.')
  return isArchived ? t('The archive is empty.') : t('No chats yet.')
}

function ThreadLink({ thread: { id, title, updatedAt, busy } }: { thread: Thread }) {
  const href = `/app/chat/${id}`
  return (
    <a href={href} aria-current={appLocation.value.path === href ? 'page' : undefined}>
      <span class="thread-title" dir="auto">
        {title || t('New chat')}
      </span>
      <span class="thread-when">{busy ? t('writing …') : formatDate(updatedAt)}</span>
    </a>
  )
}
