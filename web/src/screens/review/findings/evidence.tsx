// The evidence of an automatic verdict: quotes from files, or earlier verdicts on the same finding.
import type { ReviewFinding } from '@cowrie/sdk'
import { msg, t } from '../../../i18n/t.ts'
import { JUDGES } from '../review-texts.ts'

const ROLES: Readonly<Record<string, string>> = {
  source: msg('data enters'),
  sink: msg('causes harm'),
  guard: msg('protects'),
  constant: msg('is constant'),
  unreachable: msg('is never reached'),
}

type Quote = { path: string; line: number; quote: string; role: string | null }

export function Evidence({ finding }: { finding: ReviewFinding }) {
  const { adjudicatedBy, evidence, note } = finding
  if (adjudicatedBy === null) return null
  const quotes = quotesIn(evidence)
  const history = historyIn(evidence)
  const doubt = typeof evidence?.doubt === 'string' ? evidence.doubt : null
  return (
    <div class="evidence">
      <p class="help">
        {t(JUDGES[adjudicatedBy] ?? '')}
        {typeof evidence?.model === 'string' && adjudicatedBy === 'model' && (
          <>
            {' '}
            <code dir="ltr">{evidence.model}</code>
          </>
        )}
      </p>
      {note && (
        <blockquote dir="auto" class="verdict-note">
          {note}
        </blockquote>
      )}
      {doubt !== null && <p class="help">{t('Not counted: {doubt}.', { doubt })}</p>}
      {history && (
        <p class="help">{t('Confirmed {confirmed} times and refuted {refuted} times before.', history)}</p>
      )}
      {quotes.length > 0 && (
        <ul class="quotes" aria-label={t('Evidence')}>
          {quotes.map(({ path, line, quote, role }) => (
            <li key={`${path} ${line} ${quote}`}>
              <code dir="ltr">
                {path}:{line}
              </code>{' '}
              {role !== null && <span class="help">{t(ROLES[role] ?? role)}</span>}
              <code dir="ltr" class="quote">
                {quote}
              </code>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Evidence has no fixed schema: unknown parts are omitted. */
function quotesIn(evidence: ReviewFinding['evidence']): Quote[] {
  const listed = evidence?.evidence
  if (!Array.isArray(listed)) return []
  return listed.flatMap((each: Partial<Record<keyof Quote, unknown>>) =>
    typeof each?.path === 'string' && typeof each.quote === 'string'
      ? [
          {
            path: each.path,
            line: Number(each.line),
            quote: each.quote,
            role: typeof each.role === 'string' ? each.role : null,
          },
        ]
      : [],
  )
}

function historyIn(evidence: ReviewFinding['evidence']): { confirmed: string; refuted: string } | null {
  const { confirmed, refuted } = (evidence?.history ?? {}) as Record<string, unknown>
  return confirmed === undefined || refuted === undefined
    ? null
    : { confirmed: String(confirmed), refuted: String(refuted) }
}
