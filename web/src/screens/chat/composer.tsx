// The message form: price, model lane, and one button that sends or stops.
import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { isOnline } from '../../data/network.ts'
import { ownerOf, session } from '../../data/session.ts'
import { saveRow } from '../../data/storage/browser-store.ts'
import { readLocal, writeLocal } from '../../data/storage/local-storage.ts'
import { type Currency, formatMoney } from '../../i18n/money.ts'
import { msg, t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Amount } from '../../ui/base/amount.tsx'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { useKeyboardInset } from '../../ui/layout/keyboard-inset.ts'
import { usualCost } from '../../ui/money/usual-cost.ts'
import { ownRepo } from '../repo-index/chosen-repo.ts'
import type { AnswerInProgress, Conversation } from './conversation/conversation-types.ts'
import { type QuoteState, useQuote } from './use-quote.ts'

const LANE = 'cowrie.chat-lane'
const LONGEST = 200_000

type Props = {
  id: string | null
  conversation: Conversation | null
  draft: Signal<string>
  field: RefObject<HTMLTextAreaElement | null>
  currency: Currency
  isBehind: boolean
  toNewest: () => void
}

export function Composer({ id, conversation, draft, field, currency, isBehind, toNewest }: Props) {
  const frontier = useSignal(readLocal(LANE) === 'frontier')
  const isFrontier = frontier.value
  const live = conversation?.live.value ?? null
  const { messages, mode } = conversation?.thread.value ?? {}
  const prompt = draft.value.trimEnd()
  const isBusy = live !== null
  const canPress = !isBusy && prompt !== '' && isOnline.value
  const before = isBusy ? null : (conversation?.quotedBefore({ prompt, frontier: isFrontier }) ?? null)
  const { quoted, hurry, again } = useQuote(
    { thread: id ?? '', after: messages?.at(-1)?.id ?? '', mode: mode ?? '', prompt, frontier: isFrontier },
    canPress && messages !== undefined && before === null,
  )
  const most = before ?? (quoted.state === 'ready' ? quoted.quote.maxMinor : null)
  const isAwaited = quoted.state === 'ready' && quoted.isAwaited
  useKeyboardInset()
  const stop = () => void conversation?.stop()
  useEscape(isBusy, stop)
  useEffect(() => {
    if (isAwaited && most !== null)
      announce(t('At most {max}. Press Send again.', { max: formatMoney(most, currency) }))
  }, [isAwaited])

  async function send() {
    if (!canPress || !conversation) return
    // Without a known price the press only shows it; the next press sends.
    if (most === null) {
      announce(t('Calculating the price …'))
      hurry()
      return
    }
    const typed = draft.peek()
    draft.value = ''
    toNewest()
    const owner = ownerOf(session.peek())
    if (await conversation.send({ prompt, ...ownRepo(), frontier: isFrontier, maxMinor: most })) return
    again()
    if (draft.peek() !== '') return
    draft.value = typed
    // Kept as a draft if the user left the screen meanwhile.
    await saveRow(owner, 'draft', `chat.${id}`, typed)
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
      {'failure' in quoted && quoted.failure && <ErrorNotice failure={quoted.failure} retry={again} />}
      <div class="composer-box">
        <textarea
          id="prompt"
          ref={field}
          dir="auto"
          rows={1}
          maxLength={LONGEST}
          placeholder={messages?.length ? t('Reply …') : t('Ask anything …')}
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
            aria-label={t('Model')}
            value={isFrontier ? 'frontier' : 'open'}
            onChange={(event) => {
              frontier.value = event.currentTarget.value === 'frontier'
              writeLocal(LANE, event.currentTarget.value)
            }}
          >
            <option value="open">{t('Open model')}</option>
            <option value="frontier">{t('Frontier model')}</option>
          </select>
          <p id="price" class="help">
            {live ? (
              <span data-testid="phase">{t(PHASES[live.phase])}</span>
            ) : (
              <Price
                quoted={quoted}
                before={before}
                currency={currency}
                isFrontier={isFrontier}
                isEmpty={prompt === ''}
              />
            )}
          </p>
          {isBusy ? (
            <button
              type="button"
              aria-disabled={live.phase === 'stopping'}
              aria-keyshortcuts="Escape"
              onClick={stop}
            >
              {t('Stop')}
            </button>
          ) : (
            <button
              type="submit"
              class="primary"
              disabled={!canPress}
              aria-disabled={most === null}
              aria-describedby="price"
              aria-keyshortcuts="Control+Enter Meta+Enter"
            >
              {t('Send')}
            </button>
          )}
        </div>
      </div>
    </form>
  )
}

const PHASES: Readonly<Record<AnswerInProgress['phase'], string>> = {
  asking: msg('Waiting for the answer …'),
  writing: msg('Writing …'),
  stopping: msg('Stopping …'),
  checking: msg('Checking the answer …'),
}

type PriceProps = {
  quoted: QuoteState
  before: bigint | null
  currency: Currency
  isFrontier: boolean
  isEmpty: boolean
}

function Price({ quoted, before, currency, isFrontier, isEmpty }: PriceProps) {
  const most = (minor: bigint) => <Amount minor={minor} currency={currency} testId="quote-max" />
  if (!isOnline.value) return <>{t('You are offline. Your text stays here.')}</>
  if (isEmpty) return <>{t('You see the price before you send.')}</>
  if (before !== null) return <Trans text="At most {max}. Press Send again." max={most(before)} />
  if (quoted.state === 'asking') return <>{t('Calculating the price …')}</>
  if (quoted.state === 'failed') return <>{t('Not sent: the price could not be loaded.')}</>
  if (quoted.state === 'idle') return <>{t('Calculating the price …')}</>
  const { lane, minMinor, maxMinor, usuallyMinor } = quoted.quote
  const usual = usuallyMinor ? <bdi dir="ltr">{usualCost(usuallyMinor, currency)}</bdi> : null
  const min = usual ?? <Amount minor={minMinor} currency={currency} />
  if (isFrontier && lane === 'open')
    return (
      <Trans
        text="No frontier model available. Open model: about {min}, at most {max}"
        min={min}
        max={most(maxMinor)}
      />
    )
  if (quoted.isAwaited) return <Trans text="At most {max}. Press Send again." max={most(maxMinor)} />
  return usual ? (
    <Trans text="Usually {usual}, at most {max}" usual={usual} max={most(maxMinor)} />
  ) : (
    <Trans text="About {min}, at most {max}" min={min} max={most(maxMinor)} />
  )
}

/** Escape stops the answer, unless it closes an open dialog. */
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
