// Findings of our review rules in the change.

import { t } from '../../../i18n/t.ts'
import { Part } from '../../../ui/base/sheet.tsx'
import { plainWords } from '../../../ui/code/code-spans.ts'
import { Coded } from '../../../ui/code/text-with-code.tsx'

type Finding = { title: string; message: string; fix: string; path: string; line: number; severity: string }

export function Notes({ review }: { review: Readonly<Record<string, unknown>> | undefined }) {
  const findings = Array.isArray(review?.findings) ? review.findings.filter(isFinding) : []
  if (findings.length === 0) return null
  return (
    <Part title={t('Review notes')}>
      <ul class="rows">
        {findings.map(({ title, message, fix, path, line, severity }) => (
          <li key={`${path} ${line} ${title}`} class="row">
            <div>
              <p class="row-name">
                <span class={severity === 'error' ? 'chip bad' : 'chip warn'}>{plainWords(title)}</span>{' '}
                <bdi dir="ltr">
                  {path}:{line}
                </bdi>
              </p>
              <p dir="auto">
                <Coded text={message} />
              </p>
              <p class="help" dir="auto">
                <Coded text={fix} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Part>
  )
}

const TEXTS = ['title', 'message', 'fix', 'path', 'severity'] as const
const isFinding = (value: unknown): value is Finding =>
  typeof value === 'object' &&
  value !== null &&
  'line' in value &&
  typeof value.line === 'number' &&
  TEXTS.every((name) => typeof (value as Record<string, unknown>)[name] === 'string')
