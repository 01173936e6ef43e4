// The lines of a change in hunks, unified or side by side. Only the parts near the screen are rendered.
import { type ComponentChildren, Fragment } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { isSaving } from '../../data/preferences/data-saver.ts'
import { t, tn } from '../../i18n/t.ts'
import type { DiffLine, Hunk } from './diff.ts'
import { type LineOptions, LineRows, SplitLineRows } from './diff-rows.tsx'
import { type Gap, STEP_LINES } from './fold.ts'
import { useNearScreen } from './near-screen.ts'
import { splitRows } from './split-rows.ts'

/** Lines that are rendered together. */
const PART_LINES = 40

export type HunkNotes = {
  /** Beside the numbers of the hunk, such as buttons. */
  actions?: (hunk: Hunk, at: number) => ComponentChildren
  stateOf?: (hunk: Hunk, at: number) => string
}

type Props = HunkNotes &
  LineOptions & {
    path: string
    hunks: readonly Hunk[]
    /** The lines of each hunk with the context that is shown. Default: its own lines. */
    lines?: readonly (readonly DiffLine[])[] | undefined
    /** Hidden lines before each hunk and after the last. */
    gaps?: readonly (Gap | null)[] | undefined
    onShow?: (gap: number, where: 'top' | 'bottom', lines: number) => void
    isSplit?: boolean | undefined
  }

export function DiffTable(props: Props) {
  const { path, hunks, lines, gaps = [], onShow, isSplit = false } = props
  const gap = (at: number) => {
    const hidden = gaps[at]
    return hidden && onShow ? (
      <GapRow at={at} of={hunks.length} gap={hidden} columns={isSplit ? 4 : 3} onShow={onShow} />
    ) : null
  }
  return (
    <table
      class={isSplit ? 'diff-lines split' : 'diff-lines'}
      dir="ltr"
      onKeyDown={props.onLine && moveByLine}
      aria-label={t('Changes of {path}', { path })}
    >
      <colgroup>
        <col class="col-no" />
        {isSplit && <col class="col-half" />}
        <col class="col-no" />
        <col />
      </colgroup>
      {hunks.map((hunk, at) => (
        <Fragment key={`${hunk.oldStart} ${hunk.newStart}`}>
          {gap(at)}
          <HunkParts {...props} hunk={hunk} at={at} lines={lines?.[at] ?? hunk.lines} isSplit={isSplit} />
        </Fragment>
      ))}
      {gap(hunks.length)}
    </table>
  )
}

type HunkProps = Omit<Props, 'lines' | 'isSplit'> & {
  hunk: Hunk
  at: number
  lines: readonly DiffLine[]
  isSplit: boolean
}

function HunkParts(props: HunkProps) {
  const { lines, at } = props
  const parts: (readonly DiffLine[])[] = []
  for (let from = 0; from < lines.length; from += PART_LINES) parts.push(lines.slice(from, from + PART_LINES))
  return (
    <>
      {parts.map((part, index) => (
        <Part key={index} {...props} lines={part} isHead={index === 0} isFirst={at === 0 && index === 0} />
      ))}
    </>
  )
}

/** The keys n and p move between hunks. A part far from the screen keeps its height. */
function Part(props: HunkProps & { isHead: boolean; isFirst: boolean }) {
  const { path, hunk, hunks, at, lines, isSplit, isHead, isFirst, actions, stateOf, ...options } = props
  const box = useRef<HTMLTableSectionElement>(null)
  const isNear = useNearScreen(
    box,
    lines.length + (isHead ? 2 : 0),
    isFirst && lines.length < PART_LINES,
  ).value
  const rows = useMemo(() => (isSplit && isNear ? splitRows(lines) : []), [lines, isSplit, isNear])
  const isColoured = isNear && !isSaving.value
  const shared = { path, lines, isColoured, ...options }
  return (
    <tbody
      ref={box}
      class={`${isHead ? 'hunk' : 'hunk-more'} ${stateOf?.(hunk, at) ?? ''}${isNear ? '' : ' far'}`}
      tabIndex={isHead ? -1 : undefined}
    >
      {isHead && (
        <tr class="hunk-head">
          <th scope="rowgroup" colSpan={isSplit ? 4 : 3}>
            <div class="hunk-bar">
              <span class="unseen">
                {t('Change {at} of {of}, from line {line}', {
                  at: at + 1,
                  of: hunks.length,
                  line: hunk.newStart,
                })}
              </span>
              <span aria-hidden="true" class="hunk-range">
                @@ −{hunk.oldStart},{hunk.oldCount} +{hunk.newStart},{hunk.newCount} @@
              </span>
              {isNear && actions?.(hunk, at)}
            </div>
          </th>
        </tr>
      )}
      {!isNear ? (
        <tr class="far-rows">
          <td colSpan={isSplit ? 4 : 3} />
        </tr>
      ) : isSplit ? (
        <SplitLineRows {...shared} rows={rows} />
      ) : (
        <LineRows {...shared} />
      )}
    </tbody>
  )
}

type GapProps = {
  at: number
  of: number
  gap: Gap
  columns: number
  onShow: NonNullable<Props['onShow']>
}

/** Hidden lines: the next 20 after the hunk above, or the last 20 before the hunk below. */
function GapRow({ at, of, gap: { from, to }, columns, onShow }: GapProps) {
  const count = to === null ? null : to - from + 1
  const isShort = count !== null && count <= STEP_LINES
  return (
    <tbody class="gap">
      <tr>
        <td colSpan={columns}>
          <div class="gap-bar">
            {isShort ? (
              <button
                type="button"
                class="quiet"
                onClick={() => onShow(at, at === 0 ? 'bottom' : 'top', count)}
              >
                {tn(count, 'Show {n} more line', 'Show {n} more lines')}
              </button>
            ) : (
              <>
                {at > 0 && (
                  <button type="button" class="quiet" onClick={() => onShow(at, 'top', STEP_LINES)}>
                    <span aria-hidden="true">↓ </span>
                    {tn(STEP_LINES, 'Show {n} more line', 'Show {n} more lines')}
                  </button>
                )}
                {at < of && (
                  <button type="button" class="quiet" onClick={() => onShow(at, 'bottom', STEP_LINES)}>
                    <span aria-hidden="true">↑ </span>
                    {tn(STEP_LINES, 'Show {n} more line', 'Show {n} more lines')}
                  </button>
                )}
                {count !== null && (
                  <span class="help">{tn(count, '{n} line hidden', '{n} lines hidden')}</span>
                )}
              </>
            )}
          </div>
        </td>
      </tr>
    </tbody>
  )
}

/** In a hunk, the arrow keys move between its lines, and c comments on the line. */
function moveByLine(event: KeyboardEvent): void {
  const { target, key } = event
  if (!(target instanceof HTMLElement) || !target.matches('.hunk, .line-pick')) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const table = target.closest('table')
  const all = [...(table?.querySelectorAll<HTMLElement>('.line-pick') ?? [])]
  const at = target.matches('.hunk')
    ? all.findIndex((each) => target.contains(each) && each.closest('.add, .del'))
    : all.indexOf(target)
  const isHunk = target.matches('.hunk')
  const next = { ArrowDown: isHunk ? at : at + 1, ArrowUp: at - 1, c: at }[key]
  if (next === undefined) return
  event.preventDefault()
  event.stopPropagation()
  if (key === 'c') all[next]?.click()
  else all[next]?.focus()
}
