// A dense table of a paged list. On phones each row becomes a block. J and K move between rows, Enter opens the link of a row.
import type { ComponentChildren } from 'preact'
import type { Pages } from '../../../data/paged-resource.ts'
import { t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'

type Column<T> = {
  title: string
  /** Figures are right-aligned. */
  isFigure?: boolean
  cell: (item: T) => ComponentChildren
}
type Props<T> = {
  label: string
  pages: Pages<T>
  /** The first one names the row. */
  columns: readonly Column<T>[]
  empty: string
  /** The text of the button for the next page. */
  more: string
}

export function DeskTable<T extends { id: string }>({ label, pages, columns, empty, more }: Props<T>) {
  const current = pages.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={pages.load} />
  if (current.state === 'loading') return <Placeholder />
  if (current.value.length === 0) return <p class="help">{empty}</p>
  const look = ({ isFigure }: Column<T>) => (isFigure ? 'number' : undefined)
  return (
    <>
      <table class="desk-table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column.title} class={look(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody class="rows">
          {current.value.map((item) => (
            <tr key={item.id}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th scope="row" key={column.title}>
                    {column.cell(item)}
                  </th>
                ) : (
                  <td key={column.title} class={look(column)}>
                    {column.cell(item)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <MoreRows pages={pages} label={more} />
    </>
  )
}

export function MoreRows<T>({ pages, label }: { pages: Pages<T>; label: string }) {
  const { run, busy, failure } = pages.more
  return (
    <>
      {failure.value && <ErrorNotice failure={failure.value} />}
      {pages.hasMore.value && (
        <div class="choices">
          <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
            {busy.value ? t('Loading …') : label}
          </button>
        </div>
      )}
    </>
  )
}

const Placeholder = () => (
  <div class="rows" aria-busy="true">
    <span class="blank row" />
    <span class="blank row" />
  </div>
)
