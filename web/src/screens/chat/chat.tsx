// Chat: the list of conversations, and a new one.

import { ownerOf, session } from '../../data/session.ts'
import { saveRow } from '../../data/storage/browser-store.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { navigate } from '../../router/location.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Starters } from './starters.tsx'
import { ThreadList } from './thread-list.tsx'
import { emptyThread, useThreadList } from './thread-store.ts'

export default function Chat() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} /> : null
}

function Open() {
  const shelf = useThreadList(false)
  const isNew = shelf.state === 'ready' && shelf.threads.length === 0
  const begin = useAction(async (text: string) => {
    const id = await emptyThread()
    // Stored as the draft of that conversation, so that its screen shows it.
    await saveRow(ownerOf(session.peek()), 'draft', `chat.${id}`, text)
    navigate(`/app/chat/${id}`)
  })
  return (
    <section class={isNew ? 'chat' : 'chat with-shelf'} aria-labelledby="screen-title">
      <div class="chat-pane">
        <h1 id="screen-title" tabIndex={-1}>
          {t('Chat')}
        </h1>
        <ThreadList />
      </div>
      <div class={isNew ? 'chat-welcome' : 'chat-welcome on-desk'}>
        <Starters choose={(text) => void begin.run(text)} />
        {begin.failure.value && <ErrorNotice failure={begin.failure.value} />}
      </div>
    </section>
  )
}
