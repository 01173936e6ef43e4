// A table; on a narrow terminal each row becomes several lines.
import { pad, widthOf } from './width.ts'

export type Column = { readonly title: string /** For amounts. */; readonly right?: boolean }

const GAP = '  '

/** Empty without rows, also without a header. In the narrow form the first cell is the heading of the row. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  if (rows.length === 0) return []
  const widths = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[index] ?? ''))),
  )
  const whole = widths.reduce((sum, each) => sum + each + GAP.length, 0)
  if (whole > width) return rows.flatMap((row) => stacked(columns, row))
  const line = (cells: readonly string[]) =>
    columns
      .map(({ right }, index) => {
        const [cell, space] = [cells[index] ?? '', widths[index] ?? 0]
        return right ? ' '.repeat(space - widthOf(cell)) + cell : pad(cell, space)
      })
      .join(GAP)
      .trimEnd()
  return [line(columns.map(({ title }) => title)), ...rows.map(line)].map((each) => `${GAP}${each}`)
}

const stacked = (columns: readonly Column[], row: readonly string[]): string[] =>
  row.flatMap((cell, index) => {
    if (index === 0) return [`${GAP}${cell}`]
    return cell === '' ? [] : [`${GAP}${GAP}${columns[index]?.title}: ${cell}`]
  })
