// A bar chart with labelled axes, a comparison with the period before, and a table of the same figures.
//
//   <Bars label="Spend" of="Day" series={['Agent', 'Chat']} format={…} axis={(minor) => shortMoney(minor, currency)}
//     bars={[{ id: '2026-11-14', name: '14 Nov', values: [1200n, 300n] }]} compare={{ name: 'October', values: [900n] }} />
//
// `values` follow the order of `series` and are stacked. The first series is plain and each other one has its own hatching, so
// that colour carries no information; a line across a bar is the period before. Time runs in the direction of the text.
// With `onChoose` the bars, and their names in the table, are buttons.
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../../i18n/t.ts'
import { labelledPlaces, ticksFor } from './axis.ts'
import { type Bar, type BarsProps, sumOf } from './bars-data.ts'
import { BarsTable } from './bars-table.tsx'

export type { Bar }
export { sumOf }

const HEIGHT = 160
const LABELS = 22
const PATTERNS = 6

export function Bars(props: BarsProps) {
  const { label, series, bars, compare, format, axis = format } = props
  const id = useId()
  const box = useRef<HTMLElement>(null)
  const highest = [...bars.map(sumOf), ...(compare?.values ?? [])].reduce(larger, 0n)
  const ticks = ticksFor(highest)
  const top = ticks.at(-1) ?? 0n
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
      <div class="bars-plot">
        <ol class="bars-ticks" aria-hidden="true">
          {ticks.map((tick) => (
            <li key={tick}>
              <bdi dir="ltr">{axis(tick)}</bdi>
            </li>
          ))}
        </ol>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
        <figure ref={box} class="bars-box" tabIndex={0} aria-label={label}>
          <svg height={HEIGHT + LABELS} width="100%" role="img" aria-label={summaryOf(props)}>
            <Patterns id={id} />
            {ticks.map((tick) => (
              <line
                key={tick}
                class="bar-grid"
                x1="0"
                x2="100%"
                y1={heightAt(tick, top)}
                y2={heightAt(tick, top)}
              />
            ))}
            {bars.map((bar, place) => (
              <Column key={bar.id} id={id} bar={bar} place={place} highest={top} {...props} />
            ))}
            <Names bars={bars} />
          </svg>
        </figure>
      </div>
      {(series.length > 1 || compare) && <Legend id={id} series={series} compare={compare?.name} />}
      <details>
        <summary>{t('As a table')}</summary>
        <BarsTable {...props} />
      </details>
    </figure>
  )
}

const heightAt = (value: bigint, top: bigint): number =>
  top === 0n ? HEIGHT - 0.5 : HEIGHT - 0.5 - Number((value * BigInt((HEIGHT - 8) * 100)) / top) / 100

const isBackwards = (): boolean => document.documentElement.dir === 'rtl'

/** The place from the left, in percent. */
const placeAt = (place: number, count: number): number =>
  ((isBackwards() ? count - 1 - place : place) * 100) / count

/** Names at the edges stay inside. Text starts on the right where it runs from right to left. */
function anchorOf(x: number, count: number): { anchor: string; at: string } {
  const [left, right] = isBackwards() ? ['end', 'start'] : ['start', 'end']
  if (count > 5 && x < 12) return { anchor: left, at: '0' }
  return count > 5 && x > 88 ? { anchor: right, at: '100%' } : { anchor: 'middle', at: `${x}%` }
}

const Names = ({ bars }: { bars: readonly Bar[] }) => (
  <g class="bar-names">
    {labelledPlaces(bars.length).map((place) => {
      const { anchor, at } = anchorOf(placeAt(place, bars.length) + 50 / bars.length, bars.length)
      return (
        <text key={place} x={at} y={HEIGHT + 16} text-anchor={anchor}>
          {bars[place]?.name}
        </text>
      )
    })}
  </g>
)

type ColumnProps = BarsProps & { id: string; bar: Bar; place: number; highest: bigint }

function Column({ id, bar, bars, place, highest, compare, chosen, onChoose, format }: ColumnProps) {
  const width = 100 / bars.length
  const x = placeAt(place, bars.length)
  let sum = 0n
  const pieces = bar.values.map((value, at) => {
    const below = heightAt(sum, highest)
    sum += value
    return { at, y: heightAt(sum, highest), height: below - heightAt(sum, highest) }
  })
  const isFaint = chosen !== undefined && chosen !== null && chosen !== bar.id
  const before = compare?.values[place]
  return (
    // Keyboard users choose in the table.
    <g class={isFaint ? 'faint' : ''} {...(onChoose && { onClick: () => onChoose(bar.id) })}>
      <title>
        {[`${bar.name}: ${format(sum)}`, before !== undefined && `${compare?.name}: ${format(before)}`]
          .filter(Boolean)
          .join(', ')}
      </title>
      <rect class="bar-reach" x={`${x}%`} width={`${width}%`} y={0} height={HEIGHT} />
      {pieces.map(({ at, height, y }) => (
        <rect
          key={at}
          x={`${x + width / 2}%`}
          y={y}
          height={height}
          fill={fillOf(id, at)}
          class="bar in-place"
        />
      ))}
      {before !== undefined && before > 0n && (
        <rect
          class="bar-before in-place"
          x={`${x + width / 2}%`}
          y={heightAt(before, highest) - 1}
          height={2}
        />
      )}
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

type LegendProps = { id: string; series: readonly string[]; compare: string | undefined }

const Legend = ({ id, series, compare }: LegendProps) => (
  <ul class="bars-legend">
    {series.map((name, at) => (
      <li key={name}>
        <svg width="16" height="16" aria-hidden="true">
          <rect class="bar" width="16" height="16" fill={fillOf(id, at)} />
        </svg>
        <span>{name}</span>
      </li>
    ))}
    {compare !== undefined && (
      <li>
        <svg width="16" height="16" aria-hidden="true">
          <rect class="bar-before" width="16" y="7" height="2" />
        </svg>
        <span>{compare}</span>
      </li>
    )}
  </ul>
)

const larger = (a: bigint, b: bigint): bigint => (b > a ? b : a)

function summaryOf({ label, bars, format }: BarsProps): string {
  const highest = bars.map(sumOf).reduce(larger, 0n)
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
