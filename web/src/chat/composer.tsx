// Where the next question is written: what it would cost, which lane, and one button, which stops while an answer is written.
import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { Amount } from '../app/amount.tsx'
import { recall, remember } from '../app/memory.ts'
import { isOnline } from '../app/network.ts'
import { keep } from '../app/store.ts'
import { Say } from '../i18n/say.tsx'
import { msg, t } from '../i18n/t.ts'
import { nameOf, session } from '../identity/session.ts'
import type { Currency } from '../money.ts'
import type { Ask, Conversation, Live } from './conversation.ts'
import { type Quote, useQuote } from './quote.ts'

const LANE = 'cowrie.chat-lane'
const LONGEST = 200_000

type Props = {
  id: string
  conversation: Conversation
  draft: Signal<string>
  field: RefObject<HTMLTextAreaElement | null>
  currency: Currency
  isBehind: boolean
  toNewest: () => void
}

export function Composer({ id, conversation, draft, field, currency, isBehind, toNewest }: Props) {
  const isFrontier = useSignal(recall(LANE) === 'frontier')
  const quote = useQuote(id, draft.value, isFrontier.value).value
  // Another lane has other prices.
  const told = quote?.frontier === isFrontier.value ? quote : null
  const { live } = conversation
  const isBusy = live.value !== null
  const isEmpty = draft.value.trim() === ''
  const canSend = !isBusy && !isEmpty && isOnline.value
  useEscape(isBusy, () => void conversation.stop())

  async function send() {
    if (!canSend) return
    const prompt = draft.peek()
    const ask: Ask = { prompt, frontier: isFrontier.peek() }
    // The price that stands there is the most that it may cost, also when the last words came after it.
    if (told) ask.maxMinor = told.maxMinor
    draft.value = ''
    toNewest()
    const owner = nameOf(session.peek())
    if ((await conversation.send(ask)) || draft.peek() !== '') return
    draft.value = prompt
    // Whoever has left this screen meanwhile finds it there again.
    await keep(owner, 'draft', `chat.${id}`, prompt)
  }

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {isBehind && (
        <button type="button" class="newest" onClick={toNewest}>
          {t('Jump to newest')}
        </button>
      )}
      <label class="unseen" for="prompt">
        {t('Your message')}
      </label>
      <textarea
        id="prompt"
        ref={field}
        dir="auto"
        rows={1}
        maxLength={LONGEST}
        placeholder={t('Ask …')}
        aria-describedby="price"
        value={draft.value}
        onInput={(event) => {
          draft.value = event.currentTarget.value
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void send()
        }}
      />
      <div class="composer-foot">
        <select
          aria-label={t('Lane')}
          value={isFrontier.value ? 'frontier' : 'open'}
          onChange={(event) => {
            isFrontier.value = event.currentTarget.value === 'frontier'
            remember(LANE, event.currentTarget.value)
          }}
        >
          <option value="open">{t('Open lane')}</option>
          <option value="frontier">{t('Frontier lane')}</option>
        </select>
        <p id="price" class="help">
          {live.value ? (
            <span data-testid="phase">{t(PHASES[live.value.phase])}</span>
          ) : (
            <Price quote={told} currency={currency} isFrontier={isFrontier.value} />
          )}
        </p>
        {isBusy ? (
          <button
            type="button"
            aria-disabled={live.value?.phase === 'stopping'}
            aria-keyshortcuts="Escape"
            onClick={() => void conversation.stop()}
          >
            {t('Stop')}
          </button>
        ) : (
          <button
            type="submit"
            class="primary"
            disabled={!canSend}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            {t('Send')}
          </button>
        )}
      </div>
    </form>
  )
}

const PHASES: Readonly<Record<Live['phase'], string>> = {
  asking: msg('Waiting for the first words …'),
  writing: msg('Writing …'),
  stopping: msg('Stopping …'),
  checking: msg('Checking what arrived …'),
}

type PriceProps = { quote: Quote | null; currency: Currency; isFrontier: boolean }

function Price({ quote, currency, isFrontier }: PriceProps) {
  if (!isOnline.value) return <>{t('You are offline. What you write stays here.')}</>
  if (!quote) return null
  const [min, max] = [
    <Amount key="min" minor={quote.minMinor} currency={currency} />,
    <Amount key="max" minor={quote.maxMinor} currency={currency} testId="quote-max" />,
  ]
  return isFrontier && quote.lane === 'open' ? (
    <Say text="No frontier lane here: open, about {min}, at most {max}" min={min} max={max} />
  ) : (
    <Say text="About {min}, at most {max}" min={min} max={max} />
  )
}

/** Escape stops what is being written, unless it closes something that is open above it. */
function useEscape(isOn: boolean, act: () => void): void {
  useEffect(() => {
    if (!isOn) return
    const heard = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) act()
    }
    addEventListener('keydown', heard)
    return () => removeEventListener('keydown', heard)
  }, [isOn])
}
