// Messages: a question as typed, an answer with its cost and actions.
import type { ChatMessage } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { showsCosts } from '../../data/preferences/switches.ts'
import type { Currency } from '../../i18n/money.ts'
import { msg, t } from '../../i18n/t.ts'
import { Amount } from '../../ui/base/amount.tsx'
import { announce } from '../../ui/base/announcer.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import type { AnswerInProgress } from './conversation/conversation-types.ts'

/** `edit` puts the text into the form again. */
export const Question = ({ text, edit }: { text: string; edit?: (() => void) | undefined }) => (
  <article class="asked">
    <h2 class="unseen">{t('You asked')}</h2>
    <p dir="auto">{text}</p>
    {edit && (
      <button type="button" class="plain" aria-label={t('Edit this question')} onClick={edit}>
        {t('Edit')}
      </button>
    )}
  </article>
)

const LANES: Readonly<Record<'open' | 'frontier', string>> = {
  open: msg('Open model'),
  frontier: msg('Frontier model'),
}

const STOPPED = msg('Stopped')
/** Why an answer ended early without a stop by the user. */
const STOPS: Readonly<Record<string, string>> = {
  length: msg('Length limit reached'),
  content_filter: msg('Ended by the content filter'),
}

type AnswerProps = { message: ChatMessage; currency: Currency; children?: ComponentChildren }

/** `children` are further actions. */
export function Answer({ message, currency, children }: AnswerProps) {
  const { content, status, errorCode, lane, model, costMinor } = message
  return (
    <article class="reply">
      <h2 class="unseen">{t('Answer')}</h2>
      <Markdown text={content} />
      {status === 'failed' && <p class="bad">{t('This answer failed on our side. You paid nothing.')}</p>}
      {status === 'stopped' && content === '' && <p class="help">{t('Stopped before the first word.')}</p>}
      <footer class="reply-foot">
        {status === 'stopped' && <span class="chip warn">{t(STOPS[errorCode ?? ''] ?? STOPPED)}</span>}
        {status === 'failed' && <span class="chip bad">{t('Failed')}</span>}
        {lane === null ? (
          <span>{t('Report')}</span>
        ) : (
          <>
            {showsCosts.value && <Amount minor={costMinor} currency={currency} testId="answer-cost" />}
            <bdi class="answer-model">{model ?? t(LANES[lane])}</bdi>
          </>
        )}
        {content !== '' && <CopyAnswer text={content} />}
        {children}
      </footer>
    </article>
  )
}

function CopyAnswer({ text }: { text: string }) {
  const copied = useSignal(false)
  async function copy() {
    copied.value = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    announce(copied.value ? t('Copied.') : t('This browser blocks copying. Select the text instead.'))
  }
  return (
    <button type="button" class="plain" aria-label={t('Copy answer')} onClick={() => void copy()}>
      {copied.value ? t('Copied') : t('Copy')}
    </button>
  )
}

/** The answer while it streams. The footer has a placeholder, so that nothing moves at the end. */
export const LiveAnswer = ({ live }: { live: AnswerInProgress }) => (
  <article class="reply live">
    <h2 class="unseen">{t('Answer')}</h2>
    <Markdown text={live.text} isStreaming />
  </article>
)
