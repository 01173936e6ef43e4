// A finding at its lines: problem, cause and fix. Untrusted text is never interpreted.
import type { ScanFinding } from '@cowrie/sdk'
import { t } from '../../../i18n/t.ts'
import { CodeLines } from '../../../ui/code/code-lines.tsx'
import { CONFIDENCES, SEVERITIES, SEVERITY_CHIPS } from '../review-texts.ts'
import { TextWithBackticks } from '../text-with-backticks.tsx'

/** Lines of context. */
const AROUND = 3

type Props = { finding: ScanFinding; text?: string | undefined }

/** `text` is the whole file if available; otherwise the line from the finding is shown. */
export function FindingBody({ finding, text }: Props) {
  const { path, line, startLine, endLine, message, fix, flow } = finding
  const { first, lines } = excerptOf(finding, text)
  return (
    <>
      <CodeLines
        label={t('Lines of {path}', { path })}
        first={first}
        lines={lines}
        path={path}
        isMarked={(number) =>
          number === line || (text !== undefined && number >= startLine && number <= endLine)
        }
        mark={t('here:')}
      />
      <p dir="auto">
        <TextWithBackticks text={message} />
      </p>
      {flow.length > 0 && (
        <ol class="flow" aria-label={t('How it happens')}>
          {flow.map((step) => (
            <li key={`${step.path} ${step.line} ${step.what}`}>
              <code dir="ltr">
                {step.path}:{step.line}
              </code>{' '}
              <span dir="auto">{step.what}</span>
            </li>
          ))}
        </ol>
      )}
      {fix !== '' && (
        <p class="fix" dir="auto">
          <strong>{t('Fix:')}</strong> <TextWithBackticks text={fix} />
        </p>
      )}
    </>
  )
}

function excerptOf({ line, startLine, endLine, snippet }: ScanFinding, text: string | undefined) {
  if (text === undefined) return { first: line, lines: snippet.split('\n') }
  const all = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const first = Math.max(1, Math.min(line, startLine) - AROUND)
  return { first, lines: all.slice(first - 1, Math.max(line, endLine) + AROUND) }
}

/** Severity, confidence and category. */
export const FindingChips = ({
  finding: { severity, confidence, cwe, ruleId },
}: {
  finding: ScanFinding
}) => (
  <>
    <span class={`chip ${SEVERITY_CHIPS[severity]}`}>{t(SEVERITIES[severity])}</span>{' '}
    <span class="help">{t(CONFIDENCES[confidence])}</span> <code dir="ltr">{cwe}</code>{' '}
    <code dir="ltr">{ruleId}</code>
  </>
)
