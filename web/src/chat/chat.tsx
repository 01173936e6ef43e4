// Chat: the conversations so far, and the way into a new one.
import { goTo } from '../app/place.ts'
import { Refusal } from '../app/refusal.tsx'
import { keep } from '../app/store.ts'
import { useAction } from '../app/use-action.ts'
import { t } from '../i18n/t.ts'
import { nameOf, session } from '../identity/session.ts'
import { emptyThread, useShelf } from './shelf.ts'
import { Starters } from './starters.tsx'
import { ThreadList } from './thread-list.tsx'

export default function Chat() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} /> : null
}

function Open() {
  const shelf = useShelf(false)
  const isNew = shelf.state === 'ready' && shelf.threads.length === 0
  const begin = useAction(async (text: string) => {
    const id = await emptyThread()
    // The draft of that conversation, so that it is there when the screen opens.
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
