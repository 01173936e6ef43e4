// One finding with its three verdicts. The last verdict counts; a refuted finding is refunded once.
import type { ReviewFinding } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { isOnline } from '../../../data/network.ts'
import { reloadSession } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { msg, t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { STATUS_CHIPS, STATUSES, type Verdict } from '../review-texts.ts'
import { Evidence } from './evidence.tsx'
import { FindingBody, FindingChips } from './finding-body.tsx'

const NOTE_CHARACTERS = 2_000
const VERDICTS: readonly (readonly [verdict: Verdict, name: string, key: string])[] = [
  ['confirmed', msg('Confirm'), 'c'],
  ['refuted', msg('Refute'), 'r'],
  ['unproven', msg('Unproven'), 'u'],
]

type Props = {
  finding: ReviewFinding
  currency: Currency
  onJudged: (finding: ReviewFinding) => void
}

export function Finding({ finding, currency, onJudged }: Props) {
  const card = useRef<HTMLElement>(null)
  const note = useSignal('')
  const judging = useAction(async (verdict: Verdict) => {
    const said = note.peek().trim()
    const answer = await api.review.findings.adjudicate(finding.id, {
      verdict,
      note: said === '' ? null : said,
    })
    note.value = ''
    onJudged(answer.finding)
    announce(verdictText(answer.finding.status, answer.creditedMinor, currency))
    if (answer.creditedMinor > 0n) void reloadSession()
  })
  const { id, title, path, line, repo, pr, status } = finding
  useEffect(() => {
    const { current } = card
    if (!current) return
    // Only while the card has the focus, and not while typing.
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest('textarea')) return
      const pressed = VERDICTS.find(([, , key]) => key === event.key.toLowerCase())
      if (!pressed || !isOnline.peek()) return
      event.preventDefault()
      void judging.run(pressed[0])
    }
    current.addEventListener('keydown', press)
    return () => current.removeEventListener('keydown', press)
  })
  const isFinal = status !== 'unadjudicated'
  return (
    <article ref={card} class="finding card" tabIndex={-1} aria-labelledby={`${id}-title`}>
      <header>
        <h3 id={`${id}-title`} dir="auto">
          {title}
        </h3>
        <span class={`chip ${STATUS_CHIPS[status]}`} data-testid="verdict">
          {t(STATUSES[status])}
        </span>
      </header>
      <p class="finding-about">
        <FindingChips finding={finding} />{' '}
        <bdi dir="ltr" class="finding-place">
          {repo} #{pr} · {path}:{line}
        </bdi>
      </p>
      <FindingBody finding={finding} />
      <Evidence finding={finding} />
      {finding.creditedMinor > 0n && (
        <p class="help">
          {t('{amount} was refunded to your wallet.', {
            amount: formatMoney(finding.creditedMinor, currency),
          })}
        </p>
      )}
      {judging.failure.value && <ErrorNotice failure={judging.failure.value} />}
      <fieldset class="verdicts" disabled={!isOnline.value}>
        <legend>{isFinal ? t('Change verdict') : t('Is this correct?')}</legend>
        {VERDICTS.map(([verdict, name, key]) => (
          <button
            key={verdict}
            type="button"
            aria-pressed={status === verdict && finding.adjudicatedBy === 'person'}
            aria-disabled={judging.busy.value}
            aria-keyshortcuts={key}
            onClick={() => void judging.run(verdict)}
          >
            {t(name)}
          </button>
        ))}
      </fieldset>
      <details class="fold">
        <summary>{t('Add a note')}</summary>
        <div class="field">
          <label for={`${id}-note`}>{t('Note')}</label>
          <textarea
            id={`${id}-note`}
            rows={2}
            dir="auto"
            maxLength={NOTE_CHARACTERS}
            value={note.value}
            onInput={(event) => {
              note.value = event.currentTarget.value
            }}
          />
        </div>
      </details>
      {!isOnline.value && (
        <p class="help">{t('You are offline. You can give verdicts when you are back online.')}</p>
      )}
    </article>
  )
}

function verdictText(status: ReviewFinding['status'], creditedMinor: bigint, currency: Currency): string {
  const verdict = t(STATUSES[status])
  return creditedMinor > 0n
    ? t('{verdict}. {amount} was refunded to your wallet.', {
        verdict,
        amount: formatMoney(creditedMinor, currency),
      })
    : t('{verdict}. Saved.', { verdict })
}
