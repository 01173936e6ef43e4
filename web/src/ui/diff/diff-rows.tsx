// The rows of a change: numbers, a sign and the text with its colours. Added and removed lines are labelled for screen readers.
import { type ComponentChildren, Fragment } from 'preact'
import { useMemo } from 'preact/hooks'
import { t } from '../../i18n/t.ts'
import type { Piece } from '../code/highlight.ts'
import { highlightedLines } from '../code/highlighted-lines.ts'
import { Shaded } from '../code/shaded.tsx'
import type { DiffLine } from './diff.ts'
import type { SplitRow } from './split-rows.ts'

export type LineOptions = {
  /** Chosen by its number, for a comment. */
  onLine?: ((line: DiffLine) => void) | undefined
  /** Shown below a line, such as a form. */
  below?: ((line: DiffLine) => ComponentChildren) | undefined
}

type Props = LineOptions & { path: string; lines: readonly DiffLine[]; isColoured: boolean }
type Shades = ReadonlyMap<DiffLine, readonly Piece[]>

export function LineRows({ path, lines, isColoured, onLine, below }: Props) {
  const shades = useShades(lines, path, isColoured)
  return (
    <>
      {lines.map((line) => (
        <Fragment key={keyOf(line)}>
          <tr class={`line ${line.kind}`}>
            <td class="line-no">{line.oldNo}</td>
            <NumberCell line={line} no={line.newNo} onLine={onLine} />
            <TextCell line={line} shades={shades} />
          </tr>
          <Below line={line} columns={3} below={below} />
        </Fragment>
      ))}
    </>
  )
}

export function SplitLineRows({
  path,
  lines,
  isColoured,
  rows,
  onLine,
  below,
}: Props & { rows: readonly SplitRow[] }) {
  const shades = useShades(lines, path, isColoured)
  return (
    <>
      {rows.map(({ left, right }) => (
        <Fragment key={`${left && keyOf(left)} ${right && keyOf(right)}`}>
          <tr class="line">
            {left ? (
              <NumberCell line={left} no={left.oldNo} onLine={left.kind === 'del' ? onLine : undefined} />
            ) : (
              <td class="line-no" />
            )}
            {left ? <TextCell line={left} shades={shades} /> : <td class="line-text none" />}
            {right ? <NumberCell line={right} no={right.newNo} onLine={onLine} /> : <td class="line-no" />}
            {right ? <TextCell line={right} shades={shades} /> : <td class="line-text none" />}
          </tr>
          {left && left !== right && <Below line={left} columns={4} below={below} />}
          {right && <Below line={right} columns={4} below={below} />}
        </Fragment>
      ))}
    </>
  )
}

export const keyOf = ({ oldNo, newNo }: DiffLine): string => `${oldNo} ${newNo}`

/** Both sides are read as separate code, so that a removed line does not change the colours of an added one. */
function useShades(lines: readonly DiffLine[], path: string, isColoured: boolean): Shades {
  return useMemo(() => {
    const shades = new Map<DiffLine, readonly Piece[]>()
    if (!isColoured) return shades
    for (const other of ['add', 'del'] as const) {
      const side = lines.filter(({ kind }) => kind !== other)
      const drawn = highlightedLines(side.map(textOf), path)
      for (const [at, line] of side.entries()) shades.set(line, drawn?.[at] ?? [])
    }
    return shades
  }, [lines, path, isColoured])
}

const textOf = ({ text }: DiffLine): string => text.replace(/\r?\n$/, '')

type CellProps = { line: DiffLine; no: number | null; onLine: LineOptions['onLine'] }

function NumberCell({ line, no, onLine }: CellProps) {
  if (!onLine) return <td class={`line-no ${line.kind}`}>{no}</td>
  const named = line.newNo ?? line.oldNo ?? 0
  return (
    <td class={`line-no ${line.kind}`}>
      {/* Not a stop of the Tab key: a file has hundreds of lines. The keys of the hunk reach them. */}
      <button
        type="button"
        class="line-pick"
        tabIndex={-1}
        aria-label={t('Comment on line {line}', { line: named })}
        onClick={() => onLine(line)}
      >
        {no}
      </button>
    </td>
  )
}

const SIGNS = { same: ' ', del: '−', add: '+' } as const

function TextCell({ line, shades }: { line: DiffLine; shades: Shades }) {
  const { kind, text } = line
  const pieces = shades.get(line) ?? []
  return (
    <td class={`line-text ${kind}`}>
      {kind !== 'same' && <span class="unseen">{kind === 'add' ? t('added') : t('removed')} </span>}
      <span aria-hidden="true" class="sign">
        {SIGNS[kind]}
      </span>
      <code>{pieces.length > 0 ? <Shaded pieces={pieces} /> : textOf(line)}</code>
      {!text.endsWith('\n') && <span class="no-end"> {t('no line break at the end')}</span>}
    </td>
  )
}

type BelowProps = { line: DiffLine; columns: number; below: LineOptions['below'] }

function Below({ line, columns, below }: BelowProps) {
  const content = below?.(line)
  if (!content) return null
  return (
    <tr class="line-below">
      <td colSpan={columns}>{content}</td>
    </tr>
  )
}
