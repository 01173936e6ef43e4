// The changes of a file in hunks with line numbers. Added and removed lines are labelled for screen readers.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { t, tn } from '../../i18n/t.ts'
import { CodeBox } from '../code/code-box.tsx'
import type { Diff, DiffLine, Hunk } from './diff.ts'

/** Longer changes start collapsed. */
const OPEN_LINES_MAX = 300
/** Lines rendered at once; the others follow on request, so that one file does not freeze a phone. */
const DRAWN_LINES_MAX = 1_500

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
        {note} <Counts diff={diff} />
      </summary>
      {children}
      {isOpen.value && <Lines path={path} diff={diff} />}
    </details>
  )
}

export const Counts = ({ diff: { added, removed } }: { diff: Diff }) => (
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

function Lines({ path, diff }: { path: string; diff: Diff }) {
  const isAll = useSignal(false)
  const { shown, hidden } = isAll.value ? { shown: diff.hunks, hidden: 0 } : firstOf(diff.hunks)
  if (diff.hunks.length === 0) return <p class="help">{t('The text has not changed.')}</p>
  return (
    <>
      <CodeBox label={t('Changes of {path}', { path })}>
        <table class="diff-lines">
          {shown.map((hunk, index) => (
            <Piece
              key={`${hunk.oldStart} ${hunk.newStart}`}
              hunk={hunk}
              at={index + 1}
              of={diff.hunks.length}
            />
          ))}
        </table>
      </CodeBox>
      {hidden > 0 && (
        <button type="button" onClick={() => (isAll.value = true)}>
          {tn(hidden, 'Show {n} more line', 'Show {n} more lines')}
        </button>
      )}
    </>
  )
}

function firstOf(hunks: readonly Hunk[]): { shown: Hunk[]; hidden: number } {
  const shown: Hunk[] = []
  let [room, hidden] = [DRAWN_LINES_MAX, 0]
  for (const hunk of hunks) {
    const lines = hunk.lines.slice(0, Math.max(0, room))
    room -= lines.length
    hidden += hunk.lines.length - lines.length
    if (lines.length > 0) shown.push({ ...hunk, lines })
  }
  return { shown, hidden }
}

/** The keys n and p move between hunks. */
const Piece = ({ hunk, at, of }: { hunk: Hunk; at: number; of: number }) => (
  <tbody class="hunk" tabIndex={-1}>
    <tr class="hunk-head">
      <th scope="rowgroup" colSpan={3}>
        <span class="unseen">
          {t('Change {at} of {of}, from line {line}', { at, of, line: hunk.newStart })}
        </span>
        <span aria-hidden="true">
          @@ −{hunk.oldStart},{hunk.oldCount} +{hunk.newStart},{hunk.newCount} @@
        </span>
      </th>
    </tr>
    {hunk.lines.map((line) => (
      <Row key={`${line.oldNo} ${line.newNo}`} line={line} />
    ))}
  </tbody>
)

const SIGNS = { same: ' ', del: '−', add: '+' } as const

const Row = ({ line: { kind, text, oldNo, newNo } }: { line: DiffLine }) => (
  <tr class={`line ${kind}`}>
    <td class="line-no">{oldNo}</td>
    <td class="line-no">{newNo}</td>
    <td class="line-text">
      {kind !== 'same' && <span class="unseen">{kind === 'add' ? t('added') : t('removed')} </span>}
      <span aria-hidden="true" class="sign">
        {SIGNS[kind]}
      </span>
      <code>{text.replace(/\r?\n$/, '')}</code>
      {!text.endsWith('\n') && <span class="no-end"> {t('no line break at the end')}</span>}
    </td>
  </tr>
)
