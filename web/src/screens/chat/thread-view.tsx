// A conversation on the screen: heading, messages, the answer in progress, and the message form.
import type { ChatMessage } from '@cowrie/sdk'
import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ApiFailure } from '../../data/failure.ts'
import { isOnline } from '../../data/network.ts'
import { showsCosts } from '../../data/preferences/switches.ts'
import { useAction } from '../../data/use-action.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { type Currency, formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Amount } from '../../ui/base/amount.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Composer } from './composer.tsx'
import type { Conversation } from './conversation/conversation-types.ts'
import { useFollowScroll } from './follow-scroll.ts'
import { Answer, LiveAnswer, Question } from './message.tsx'
import { Starters } from './starters.tsx'
import { ThreadMenu } from './thread-menu.tsx'
import { loadThreads } from './thread-store.ts'

type Props = {
  /** Null until the user starts to write in a new conversation. */
  id: string | null
  conversation: Conversation | null
  draft: Signal<string>
  currency: Currency
  isNew?: boolean
  /** Whether the message field takes the focus at once. */
  isFocused?: boolean
  /** Why the conversation could not be created. */
  failure?: ApiFailure | null
  retry?: () => unknown
}

export function ThreadView({
  id,
  conversation,
  draft,
  currency,
  isNew = false,
  isFocused = false,
  failure = null,
  retry,
}: Props) {
  const log = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const isLive = !!conversation?.live.value
  const { isBehind, toNewest } = useFollowScroll(log, isLive || !!conversation?.thread.value?.messages.length)
  // The list shows the name and the time of the last message, which have just changed.
  const title = conversation?.thread.value?.title ?? ''
  useEffect(() => {
    if (!isLive && title) void loadThreads(false)
  }, [isLive, title])
  useEffect(() => {
    if (isFocused) field.current?.focus()
  }, [])

  function choose(text: string) {
    draft.value = text
    field.current?.focus()
  }

  const asOf = conversation?.asOf.value
  const missing = conversation?.missing.value
  return (
    <div class="thread">
      <header class="thread-head">
        <a class="back" href="/app/chat">
          <span class="unseen">{t('All chats')}</span>
        </a>
        <h1 id="screen-title" tabIndex={-1} dir="auto">
          {title || t('New chat')}
        </h1>
        {conversation && <Total conversation={conversation} currency={currency} />}
        {id !== null && conversation && (
          <ThreadMenu id={id} title={title || t('New chat')} conversation={conversation} />
        )}
      </header>
      <div class="log" ref={log}>
        {asOf && <p class="help">{t('As of {time}.', { time: formatDateTime(asOf.toISOString()) })}</p>}
        {missing && <ErrorNotice failure={missing} retry={conversation?.load} />}
        <Log conversation={conversation} currency={currency} isNew={isNew} choose={choose} />
        {failure && <ErrorNotice failure={failure} retry={retry} />}
      </div>
      <Composer
        id={id}
        conversation={conversation}
        draft={draft}
        field={field}
        currency={currency}
        isBehind={isBehind.value}
        toNewest={toNewest}
      />
    </div>
  )
}

type LogProps = {
  conversation: Conversation | null
  currency: Currency
  isNew: boolean
  choose: (text: string) => void
}

function Log({ conversation, currency, isNew, choose }: LogProps) {
  const earlier = useAction(async () => conversation?.earlier())
  const known = conversation?.thread.value
  if (!known)
    return isNew ? <Starters choose={choose} /> : conversation?.missing.value ? null : <Placeholder />
  const { live, failure } = conversation
  /** A message that cannot be sent again unchanged is put into the form with its price. */
  async function again(message: ChatMessage, question: string) {
    if (!(await conversation?.retry(message))) choose(question)
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
          <Question
            key={message.id}
            text={message.content}
            edit={now ? undefined : () => choose(message.content)}
          />
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
  const { messages, messagesCursor, mode } = conversation.thread.value ?? {}
  const total = messages?.reduce((sum, { costMinor }) => sum + costMinor, 0n) ?? 0n
  const amount = <Amount minor={total} currency={currency} testId="thread-total" />
  return (
    <p class="help thread-total">
      {mode === 'code' && <span class="chip">{t('Code mode')}</span>}
      {showsCosts.value && (
        <span>
          {messagesCursor ? (
            <Trans text="{amount} for the messages shown" amount={amount} />
          ) : (
            <Trans text="{amount} so far" amount={amount} />
          )}
        </span>
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
