// Numbered lines of code with some of them marked, in a box that scrolls.
//
//   <CodeLines label={t('Lines of {path}', { path })} first={12} lines={['a', 'b']} path="src/a.ts" isMarked={(line) => line === 13} />
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { isSaving } from '../../data/preferences/data-saver.ts'
import { CodeBox } from './code-box.tsx'
import { highlightedLines } from './highlighted-lines.ts'
import { Shaded } from './shaded.tsx'

type Props = {
  label: string
  /** The number of the first line. */
  first: number
  lines: readonly string[]
  /** Its extension selects the language. */
  path: string
  isMarked?: (line: number) => boolean
  /** The meaning of a marked line, for screen readers. */
  mark?: string
  /** Replaces the highlighting of a line. */
  draw?: (text: string) => ComponentChildren
}

export function CodeLines({ label, first, lines, path, isMarked = () => false, mark, draw }: Props) {
  const isPlain = draw !== undefined || isSaving.value
  const shaded = useMemo(() => (isPlain ? null : highlightedLines(lines, path)), [lines, path, isPlain])
  return (
    <CodeBox label={label}>
      <table class="code-lines">
        <tbody>
          {lines.map((text, at) => {
            const number = first + at
            return (
              <tr key={number} class={isMarked(number) ? 'code-line marked' : 'code-line'}>
                <th scope="row">
                  {isMarked(number) && <span class="unseen">{mark} </span>}
                  {number}
                </th>
                <td>
                  <code>{draw ? draw(text) : shaded ? <Shaded pieces={shaded[at] ?? []} /> : text}</code>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </CodeBox>
  )
}
