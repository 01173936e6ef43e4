// Chat: the list of conversations, and a new one.

import { nameOf, session } from '../../data/session.ts'
import { keep } from '../../data/storage/browser-store.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { goTo } from '../../router/location.ts'
import { Refusal } from '../../ui/base/error-notice.tsx'
import { Starters } from './starters.tsx'
import { ThreadList } from './thread-list.tsx'
import { emptyThread, useShelf } from './thread-store.ts'

export default function Chat() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} /> : null
}

function Open() {
  const shelf = useShelf(false)
  const isNew = shelf.state === 'ready' && shelf.threads.length === 0
  const begin = useAction(async (text: string) => {
    const id = await emptyThread()
    // Stored as the draft of that conversation, so that its screen shows it.
    await keep(nameOf(session.peek()), 'draft', `chat.${id}`, text)
    goTo(`/app/chat/${id}`)
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
        {begin.failure.value && <Refusal failure={begin.failure.value} />}
      </div>
    </section>
  )
}
