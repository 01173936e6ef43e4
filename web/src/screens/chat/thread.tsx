// One conversation: messages, the answer in progress, the cost, and the message form.
import type { ChatMessage } from '@cowrie/sdk'
import { useComputed } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { useDraft } from '../../data/draft.ts'
import { isOnline } from '../../data/network.ts'
import { showsCosts } from '../../data/preferences/switches.ts'
import { type Me, ownerOf, session } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { type Currency, formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Amount } from '../../ui/base/amount.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Composer } from './composer.tsx'
import { conversationOf } from './conversation/conversation.ts'
import type { Conversation } from './conversation/conversation-types.ts'
import { useFollowScroll } from './follow-scroll.ts'
import { ManageThread } from './manage-thread.tsx'
import { Answer, LiveAnswer, Question } from './message.tsx'
import { Starters } from './starters.tsx'
import { ThreadList } from './thread-list.tsx'
import { loadThreads } from './thread-store.ts'

const RELOAD_MS = 2_000
const RELOAD_MAX_MS = 60_000

export default function Thread({ id = '' }: { id?: string }) {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} id={id} me={value.me} /> : null
}

function Open({ id, me }: { id: string; me: Me }) {
  const conversation = useMemo(() => conversationOf(ownerOf(session.peek()), id), [id])
  const { thread, live, missing, asOf } = conversation
  const draft = useDraft(`chat.${id}`)
  const log = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const { isBehind, toNewest } = useFollowScroll(log)
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
  // The list shows the name and the last question, which have just changed.
  const isLive = live.value !== null
  const title = thread.value?.title ?? ''
  useEffect(() => {
    if (!isLive && title) void loadThreads(false)
  }, [isLive, title])

  function choose(text: string) {
    draft.value = text
    field.current?.focus()
  }

  return (
    <section class="chat with-shelf" aria-labelledby="screen-title">
      <nav class="chat-pane on-desk" aria-label={t('Chats')}>
        <ThreadList />
      </nav>
      <div class="thread">
        <header class="thread-head">
          <a class="back" href="/app/chat">
            {t('All chats')}
          </a>
          <h1 id="screen-title" tabIndex={-1} dir="auto">
            {title || t('New chat')}
          </h1>
          <Total conversation={conversation} currency={me.currency} />
          <ManageThread id={id} title={title || t('New chat')} conversation={conversation} />
        </header>
        <div class="log" ref={log}>
          {asOf.value && (
            <p class="help">{t('As of {time}.', { time: formatDateTime(asOf.value.toISOString()) })}</p>
          )}
          {missing.value && <ErrorNotice failure={missing.value} retry={conversation.load} />}
          <Log conversation={conversation} currency={me.currency} choose={choose} />
        </div>
        <Composer
          id={id}
          conversation={conversation}
          draft={draft}
          field={field}
          currency={me.currency}
          isBehind={isBehind.value}
          toNewest={toNewest}
        />
      </div>
    </section>
  )
}

type LogProps = { conversation: Conversation; currency: Currency; choose: (text: string) => void }

function Log({ conversation, currency, choose }: LogProps) {
  const { thread, live, failure, missing } = conversation
  const earlier = useAction(conversation.earlier)
  const known = thread.value
  if (!known) return missing.value ? null : <Placeholder />
  /** A message that cannot be sent again unchanged is put into the form with its price. */
  async function again(message: ChatMessage, question: string) {
    if (!(await conversation.retry(message))) choose(question)
  }
  const now = live.value
  const last = known.messages.at(-1)
  return (
    <>
      {known.messagesCursor !== null && (
        <button type="button" aria-disabled={earlier.busy.value} onClick={() => void earlier.run()}>
          {t('Show earlier messages')}
        </button>
      )}
      {earlier.failure.value && <ErrorNotice failure={earlier.failure.value} />}
      {known.messages.length === 0 && !now && <Starters choose={choose} />}
      {known.messages.map((message, at) =>
        message.role === 'user' ? (
          <Question key={message.id} text={message.content} />
        ) : (
          <Answer key={message.id} message={message} currency={currency}>
            {message === last && !now && message.status !== 'complete' && (
              <Again
                most={conversation.quotedFor(message)}
                currency={currency}
                send={() => void again(message, known.messages[at - 1]?.content ?? '')}
                choose={() => choose(known.messages[at - 1]?.content ?? '')}
              />
            )}
          </Answer>
        ),
      )}
      {now?.question != null && <Question text={now.question} />}
      {now && <LiveAnswer live={now} />}
      {failure.value && <ErrorNotice failure={failure.value} />}
    </>
  )
}

type AgainProps = { most: bigint | null; currency: Currency; send: () => void; choose: () => void }

/** With a known price it sends the same message; without one it only fills the form. */
const Again = ({ most, currency, send, choose }: AgainProps) =>
  most === null ? (
    <button type="button" class="plain" onClick={choose}>
      {t('Ask again')}
    </button>
  ) : (
    <button type="button" class="plain" disabled={!isOnline.value} onClick={send}>
      {t('Try again · up to {amount}', { amount: formatMoney(most, currency) })}
    </button>
  )

/** The cost of the answers on this page. In a long conversation that is only a part, which the text mentions. */
function Total({ conversation, currency }: { conversation: Conversation; currency: Currency }) {
  const { thread } = conversation
  const isShown = showsCosts.value
  const total = useComputed(
    () => thread.value?.messages.reduce((sum, { costMinor }) => sum + costMinor, 0n) ?? 0n,
  )
  if (!isShown) return null
  const amount = <Amount minor={total.value} currency={currency} testId="thread-total" />
  return (
    <p class="help thread-total">
      {thread.value?.messagesCursor ? (
        <Trans text="{amount} for the messages shown" amount={amount} />
      ) : (
        <Trans text="{amount} so far" amount={amount} />
      )}
    </p>
  )
}

const Placeholder = () => (
  <div class="log-placeholder" aria-busy="true">
    <span class="blank line" />
    <span class="blank line" />
    <span class="blank line" />
  </div>
)
