// A bar chart, with a table of the same figures for screen readers and exact values.
//
//   <Bars label={t('Spend, 30 days')} of={t('Day')} series={[t('Agent'), t('Chat')]} format={(minor) => formatMoney(minor, currency)}
//     bars={[{ id: '2026-11-14', name: '14 Nov', values: [1200n, 300n] }]} chosen={id} onChoose={(id) => …} />
//
// `values` follow the order of `series` and are stacked. The first series is plain and each other one has its own hatching, so
// that colour carries no information. Time runs in the direction of the text; the newest bars are in view.
// With `onChoose` the bars, and their names in the table, are buttons.
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../../i18n/t.ts'

export type Bar = { id: string; name: string; values: readonly bigint[] }

type Props = {
  label: string
  /** The subject of the bars. */
  of: string
  series: readonly string[]
  bars: readonly Bar[]
  format: (value: bigint) => string
  chosen?: string | null
  onChoose?: (id: string) => void
}

const HEIGHT = 128
const PATTERNS = 6

export function Bars(props: Props) {
  const { label, series, bars, format } = props
  const id = useId()
  const box = useRef<HTMLElement>(null)
  const highest = bars.map(sumOf).reduce(larger, 0n)
  useEffect(() => {
    const { current } = box
    if (!current) return
    current.style.setProperty('--bars', String(bars.length))
    // Scroll to the end of the line, left or right.
    const isBackwards = getComputedStyle(current).direction === 'rtl'
    current.scrollLeft = isBackwards ? -current.scrollWidth : current.scrollWidth
  }, [bars.length])
  return (
    <figure class="bars">
      <p class="bars-top" aria-hidden="true">
        <bdi dir="ltr">{format(highest)}</bdi>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
      <figure ref={box} class="bars-box" tabIndex={0} aria-label={label}>
        <svg height={HEIGHT} width="100%" role="img" aria-label={summaryOf(props, highest)}>
          <Patterns id={id} />
          {bars.map((bar, place) => (
            <Column key={bar.id} id={id} bar={bar} place={place} highest={highest} {...props} />
          ))}
        </svg>
      </figure>
      <p class="bars-ends" aria-hidden="true">
        <span>{bars[0]?.name}</span>
        {bars.length > 1 && <span>{bars.at(-1)?.name}</span>}
      </p>
      {series.length > 1 && <Legend id={id} series={series} />}
      <details>
        <summary>{t('As a table')}</summary>
        <DataTable {...props} />
      </details>
    </figure>
  )
}

type ColumnProps = Props & { id: string; bar: Bar; place: number; highest: bigint }

function Column({ id, bar, bars, place, highest, chosen, onChoose, format }: ColumnProps) {
  const isBackwards = document.documentElement.dir === 'rtl'
  const width = 100 / bars.length
  const x = (isBackwards ? bars.length - 1 - place : place) * width
  let top = HEIGHT
  const pieces = bar.values.map((value, at) => {
    const height = highest === 0n ? 0 : Number((value * BigInt(HEIGHT * 100)) / highest) / 100
    top -= height
    return { at, height, y: top }
  })
  const isFaint = chosen !== undefined && chosen !== null && chosen !== bar.id
  return (
    // Keyboard users choose in the table.
    <g class={isFaint ? 'faint' : ''} {...(onChoose && { onClick: () => onChoose(bar.id) })}>
      <title>{`${bar.name}: ${format(sumOf(bar))}`}</title>
      <rect class="bar-reach" x={`${x}%`} width={`${width}%`} y={0} height={HEIGHT} />
      <rect
        class="bar-foot"
        x={`${x + width * 0.14}%`}
        width={`${width * 0.72}%`}
        y={HEIGHT - 1}
        height={1}
      />
      {pieces.map(({ at, height, y }) => (
        <rect
          key={at}
          x={`${x + width * 0.14}%`}
          width={`${width * 0.72}%`}
          y={y}
          height={height}
          fill={fillOf(id, at)}
          class="bar"
        />
      ))}
    </g>
  )
}

const fillOf = (id: string, at: number): string => `url(#${id}-${at % PATTERNS})`

const STROKES = [
  'M0 0H8V8H0Z',
  'M-2 2 2-2M0 8 8 0M6 10 10 6',
  'M0 2H8M0 6H8',
  'M2 2h2v2h-2zM6 6h2v2h-2z',
  'M2 0V8M6 0V8',
  'M0 0 8 8M8 0 0 8',
]

const Patterns = ({ id }: { id: string }) => (
  <defs>
    {STROKES.map((strokes, at) => (
      <pattern key={strokes} id={`${id}-${at}`} width="8" height="8" patternUnits="userSpaceOnUse">
        <rect class={at === 0 ? 'bar-full' : 'bar-thin'} width="8" height="8" />
        {at > 0 && <path class="bar-stroke" d={strokes} />}
      </pattern>
    ))}
  </defs>
)

const Legend = ({ id, series }: { id: string; series: readonly string[] }) => (
  <ul class="bars-legend">
    {series.map((name, at) => (
      <li key={name}>
        <svg width="16" height="16" aria-hidden="true">
          <rect class="bar" width="16" height="16" fill={fillOf(id, at)} />
        </svg>
        <span>{name}</span>
      </li>
    ))}
  </ul>
)

function DataTable({ label, of, series, bars, format, chosen, onChoose }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
    <section class="bars-table" tabIndex={0} aria-label={t('{label}, as a table', { label })}>
      <table>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            {series.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {series.length > 1 && <th scope="col">{t('Total')}</th>}
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.id}>
              <th scope="row">
                {onChoose ? (
                  <button
                    type="button"
                    class="plain"
                    aria-pressed={chosen === bar.id}
                    onClick={() => onChoose(bar.id)}
                  >
                    {bar.name}
                  </button>
                ) : (
                  bar.name
                )}
              </th>
              {bar.values.map((value, at) => (
                <td key={series[at]}>
                  <bdi dir="ltr">{format(value)}</bdi>
                </td>
              ))}
              {series.length > 1 && (
                <td>
                  <bdi dir="ltr">{format(sumOf(bar))}</bdi>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const larger = (a: bigint, b: bigint): bigint => (b > a ? b : a)

export const sumOf = ({ values }: Pick<Bar, 'values'>): bigint => values.reduce((sum, each) => sum + each, 0n)

function summaryOf({ label, bars, format }: Props, highest: bigint): string {
  const sum = bars.reduce((all, bar) => all + sumOf(bar), 0n)
  const peak = bars.find((bar) => sumOf(bar) === highest)
  if (!peak || highest === 0n) return t('{label}: nothing', { label })
  return t('{label}: {sum} in total, highest {name} with {most}', {
    label,
    sum: format(sum),
    name: peak.name,
    most: format(highest),
  })
}
