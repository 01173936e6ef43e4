// The data of a bar chart.

export type Bar = { id: string; name: string; values: readonly bigint[] }

export type BarsProps = {
  label: string
  /** The subject of the bars. */
  of: string
  series: readonly string[]
  bars: readonly Bar[]
  /** The same places in the period before: one value for each bar. */
  compare?: { name: string; values: readonly bigint[] } | undefined
  format: (value: bigint) => string
  /** Short labels of the axis. Default: `format`. */
  axis?: (value: bigint) => string
  chosen?: string | null
  onChoose?: (id: string) => void
}

export const sumOf = ({ values }: Pick<Bar, 'values'>): bigint => values.reduce((sum, each) => sum + each, 0n)
