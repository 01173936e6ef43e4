// Findings of our review rules in the change.

import { t } from '../../i18n/t.ts'
import { Section } from '../../ui/base/sheet.tsx'
import { plainText } from '../../ui/code/code-spans.ts'
import { TextWithCode } from '../../ui/code/text-with-code.tsx'

type Finding = { title: string; message: string; fix: string; path: string; line: number; severity: string }

export function RuleFindings({ review }: { review: Readonly<Record<string, unknown>> | undefined }) {
  const findings = Array.isArray(review?.findings) ? review.findings.filter(isFinding) : []
  if (findings.length === 0) return null
  return (
    <Section title={t('Review notes')}>
      <ul class="rows">
        {findings.map(({ title, message, fix, path, line, severity }) => (
          <li key={`${path} ${line} ${title}`} class="row">
            <div>
              <p class="row-name">
                <span class={severity === 'error' ? 'chip bad' : 'chip warn'}>{plainText(title)}</span>{' '}
                <bdi dir="ltr">
                  {path}:{line}
                </bdi>
              </p>
              <p dir="auto">
                <TextWithCode text={message} />
              </p>
              <p class="help" dir="auto">
                <TextWithCode text={fix} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const TEXTS = ['title', 'message', 'fix', 'path', 'severity'] as const
const isFinding = (value: unknown): value is Finding =>
  typeof value === 'object' &&
  value !== null &&
  'line' in value &&
  typeof value.line === 'number' &&
  TEXTS.every((name) => typeof (value as Record<string, unknown>)[name] === 'string')
