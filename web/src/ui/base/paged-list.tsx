// The rows of a paged list, with a button for the next page.
import type { ComponentChildren } from 'preact'
import type { Pages } from '../../data/paged-resource.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from './error-notice.tsx'
import { Listing } from './listing.tsx'

type Props<T> = {
  pages: Pages<T>
  empty: ComponentChildren
  /** The text of that button. */
  more: string
  children: (item: T) => ComponentChildren
}

export function PagedList<T extends { id: string }>({ pages, empty, more, children }: Props<T>) {
  const { run, busy, failure } = pages.more
  return (
    <>
      <Listing from={pages} items={(items) => items} empty={empty}>
        {children}
      </Listing>
      {failure.value && <ErrorNotice failure={failure.value} />}
      {pages.hasMore.value && (
        <div class="choices">
          <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
            {busy.value ? t('Loading …') : more}
          </button>
        </div>
      )}
    </>
  )
}
