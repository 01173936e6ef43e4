// A new conversation. It is created when the user starts to write, because the price of a message needs one.
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { useDraft } from '../../data/draft.ts'
import { isOnline } from '../../data/network.ts'
import { ownerOf, session } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import type { Currency } from '../../i18n/money.ts'
import { appLocation } from '../../router/location.ts'
import { conversationOf } from './conversation/conversation.ts'
import { emptyThread } from './thread-store.ts'
import { ThreadView } from './thread-view.tsx'

type Props = { currency: Currency }

/** Each visit of the address starts another conversation, also from this screen. */
export function NewThread(props: Props) {
  const here = appLocation.value
  const [visit, seen] = [useRef(0), useRef(here)]
  if (seen.current !== here) {
    visit.current++
    seen.current = here
  }
  return <Begun key={visit.current} {...props} isAgain={visit.current > 0} />
}

function Begun({ currency, isAgain }: Props & { isAgain: boolean }) {
  const id = useSignal<string | null>(null)
  const isSent = useSignal(false)
  const draft = useDraft(`chat.${isSent.value ? id.value : 'new'}`)
  const conversation = useMemo(
    () => (id.value === null ? null : conversationOf(ownerOf(session.peek()), id.value)),
    [id.value],
  )
  const begin = useAction(async () => {
    id.value = await emptyThread()
  })
  const isWanted = draft.value.trim() !== '' && isOnline.value
  useEffect(() => {
    if (isWanted && id.peek() === null) void begin.run()
  }, [isWanted])
  useEffect(() => void conversation?.load(), [conversation])
  // From the first message on, a reload must show this conversation and its draft.
  const isLive = !!conversation?.live.value
  useEffect(() => {
    if (!isLive || isSent.peek()) return
    isSent.value = true
    history.replaceState(history.state, '', `/app/chat/${id.peek()}`)
  }, [isLive])
  return (
    <ThreadView
      id={id.value}
      conversation={conversation}
      draft={draft}
      currency={currency}
      isNew
      isFocused={isAgain}
      failure={begin.failure.value}
      retry={begin.run}
    />
  )
}
