// One conversation beside the list of all.
import { useEffect, useMemo } from 'preact/hooks'
import { useDraft } from '../../data/draft.ts'
import { isOnline } from '../../data/network.ts'
import { ownerOf, session } from '../../data/session.ts'
import type { Currency } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { conversationOf } from './conversation/conversation.ts'
import { NewThread } from './new-thread.tsx'
import { ThreadList } from './thread-list.tsx'
import { ThreadView } from './thread-view.tsx'

const RELOAD_MS = 2_000
const RELOAD_MAX_MS = 60_000

export default function Thread({ id = '' }: { id?: string }) {
  const { value } = session
  if (value.state !== 'in') return null
  const { currency, orgId } = value.me
  return (
    <section class="chat" aria-labelledby="screen-title" key={orgId}>
      <nav class="chat-pane on-desk" aria-label={t('Chats')}>
        <ThreadList />
      </nav>
      {id === 'new' ? <NewThread currency={currency} /> : <Open id={id} currency={currency} />}
    </section>
  )
}

function Open({ id, currency }: { id: string; currency: Currency }) {
  const conversation = useMemo(() => conversationOf(ownerOf(session.peek()), id), [id])
  const { live, asOf } = conversation
  const draft = useDraft(`chat.${id}`)
  // Reload when the network is back.
  const isOffline = asOf.value !== null && !isOnline.value
  useEffect(() => {
    if (!live.peek() && !isOffline) void conversation.load()
  }, [conversation, isOffline])
  // The first requests after a network change often fail, so retry until one succeeds.
  const isStale = asOf.value !== null && isOnline.value
  useEffect(() => {
    if (!isStale) return
    let timer: number
    const reloadAfter = (ms: number) => {
      timer = window.setTimeout(() => {
        if (!live.peek()) void conversation.load()
        reloadAfter(Math.min(ms * 2, RELOAD_MAX_MS))
      }, ms)
    }
    reloadAfter(RELOAD_MS)
    return () => clearTimeout(timer)
  }, [conversation, isStale])
  return <ThreadView id={id} conversation={conversation} draft={draft} currency={currency} />
}
