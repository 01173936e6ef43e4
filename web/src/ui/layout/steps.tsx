// Steps as diamonds on a dashed line: filled is done, hollow is pending, crossed is failed. The shape shows the state, and
// a text names it for screen readers.
import type { ComponentChildren } from 'preact'
import { msg, t } from '../../i18n/t.ts'

export type StepState = 'done' | 'now' | 'next' | 'failed' | 'skipped'
const STATE_TEXTS: Readonly<Record<StepState, string>> = {
  done: msg('done'),
  now: msg('in progress'),
  next: msg('pending'),
  failed: msg('failed'),
  skipped: msg('skipped'),
}

export const Steps = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <ol class="diamonds" aria-label={label}>
    {children}
  </ol>
)

type Props = {
  state: StepState
  title: ComponentChildren
  after?: ComponentChildren
  children?: ComponentChildren
}

/** `after` is shown at the end of the line, for example the cost. */
export const Step = ({ state, title, after, children }: Props) => (
  <li class={`diamond ${state}`}>
    <p class="diamond-line">
      <span>
        {title}
        <span class="unseen"> ({t(STATE_TEXTS[state])})</span>
      </span>
      {after !== undefined && <span class="diamond-after">{after}</span>}
    </p>
    {children}
  </li>
)
