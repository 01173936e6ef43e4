// The change of a file that opens and closes, with its counts.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { t, tn } from '../../i18n/t.ts'
import type { Diff } from './diff.ts'
import { DiffTable } from './diff-table.tsx'

/** Longer changes start collapsed. */
export const OPEN_LINES_MAX = 400

type Props = { path: string; id: string; diff: Diff; note?: ComponentChildren; children?: ComponentChildren }

/** `note` is shown beside the name, for example that the file is new; `children` come before the lines. */
export function DiffView({ path, id, diff, note, children }: Props) {
  const isOpen = useSignal(diff.added + diff.removed <= OPEN_LINES_MAX)
  return (
    <details
      id={id}
      class="diff-file"
      open={isOpen.value}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        <bdi dir="ltr" class="diff-path">
          {path}
        </bdi>{' '}
        {note} <Counts {...diff} />
      </summary>
      {children}
      {isOpen.value &&
        (diff.hunks.length === 0 ? (
          <p class="help">{t('The text has not changed.')}</p>
        ) : (
          <DiffTable path={path} hunks={diff.hunks} />
        ))}
    </details>
  )
}

export const Counts = ({ added, removed }: { added: number; removed: number }) => (
  <bdi dir="ltr" class="diff-counts">
    <span class="unseen">
      {tn(added, '{n} line added', '{n} lines added')}, {tn(removed, '{n} line removed', '{n} lines removed')}
    </span>
    <span aria-hidden="true" class="came">
      +{added}
    </span>{' '}
    <span aria-hidden="true" class="went">
      −{removed}
    </span>
  </bdi>
)
