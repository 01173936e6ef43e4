// A line chart. Strokes and hatching differ, so that colour is not needed; a table has the same figures.
import { useId } from 'preact/hooks'
import { t } from '../../../i18n/t.ts'
import { HEIGHT, heightOf, pathOf, WIDTH } from './line-path.ts'

export type Line = {
  name: string
  values: readonly number[]
  /** The value at a point as text. */
  valueText: (index: number) => string
}
type Props = { label: string; lines: readonly Line[]; times: readonly string[]; top: string; bottom: string }

export function Lines({ label, lines, times, top, bottom }: Props) {
  const hatch = useId()
  const all = lines.flatMap(({ values }) => values)
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)]
  const path = (values: readonly number[]) => pathOf(values, low, high)
  const first = lines[0]
  return (
    <figure class="lines">
      <figcaption>
        <ul class="legend">
          {lines.map(({ name }, index) => (
            <li key={name}>
              <svg viewBox="0 0 32 8" width="32" height="8" aria-hidden="true">
                <path class={`line line-${index}`} d="M0 4H32" />
              </svg>{' '}
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="lines-box" dir="ltr">
        <span class="lines-top">{top}</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
          <defs>
            <pattern
              id={hatch}
              width="8"
              height="8"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <path class="hatch" d="M0 0V8" />
            </pattern>
          </defs>
          <path class="base" d={`M0 ${heightOf(0, low, high)}H${WIDTH}`} />
          {first && first.values.length > 1 && (
            <path fill={`url(#${hatch})`} d={`${path(first.values)}V${heightOf(0, low, high)}H0Z`} />
          )}
          {lines.map(({ name, values }, index) => (
            <path key={name} class={`line line-${index}`} d={path(values)} />
          ))}
        </svg>
        <span class="lines-bottom">{bottom}</span>
        <span class="lines-times">
          <span>{times[0]}</span>
          <span>{times.at(-1)}</span>
        </span>
      </div>
      <DataTable label={label} lines={lines} times={times} />
    </figure>
  )
}

const DataTable = ({ label, lines, times }: Pick<Props, 'label' | 'lines' | 'times'>) => (
  <details>
    <summary>{t('As a table')}</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
    <section class="table-box tall" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Time')}</th>
            {lines.map(({ name }) => (
              <th scope="col" class="number" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, index) => (
            <tr key={time}>
              <th scope="row">{time}</th>
              {lines.map(({ name, valueText: words }) => (
                <td class="number" key={name}>
                  <bdi dir="ltr">{words(index)}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
)
