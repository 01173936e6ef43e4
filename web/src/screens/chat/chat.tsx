// Chat: a phone shows the conversations, a desktop also the form of a new one.
import { useRef } from 'preact/hooks'
import { session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { useMedia } from '../../ui/layout/use-media.ts'
import Thread from './thread.tsx'
import { ThreadList } from './thread-list.tsx'
import { useThreadList } from './thread-store.ts'

export default function Chat() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} /> : null
}

function Open() {
  const isWide = useMedia('(min-width: 900px)').value
  const list = useThreadList(false)
  // Without conversations there is nothing to list. The form stays when its first message makes one.
  const isFirst = useRef(false)
  if (list.state === 'ready' && !list.threads.some(({ title }) => title !== '')) isFirst.current = true
  if (isWide || isFirst.current) return <Thread id="new" />
  return (
    <section class="chat" aria-labelledby="screen-title">
      <div class="chat-pane">
        <h1 id="screen-title" tabIndex={-1}>
          {t('Chat')}
        </h1>
        <ThreadList />
      </div>
    </section>
  )
}
