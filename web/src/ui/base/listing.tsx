// A list from the service, with a placeholder while loading and a retry button after an error.
import type { ComponentChildren } from 'preact'
import type { Resource } from '../../data/resource.ts'
import { ErrorNotice } from './error-notice.tsx'

type Props<T, I> = {
  from: Resource<T>
  items: (value: T) => readonly I[]
  /** A sentence, or an `EmptyState`. */
  empty: ComponentChildren
  children: (item: I) => ComponentChildren
}

export function Listing<T, I extends { id: string }>({ from, items, empty, children }: Props<T, I>) {
  const current = from.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={from.load} />
  if (current.state === 'loading') return <Placeholder />
  const listed = items(current.value)
  if (listed.length === 0) return typeof empty === 'string' ? <p class="help">{empty}</p> : <>{empty}</>
  return (
    <ul class="rows">
      {listed.map((item) => (
        <li key={item.id}>{children(item)}</li>
      ))}
    </ul>
  )
}

const Placeholder = () => (
  <div class="rows" aria-busy="true">
    <span class="blank row" />
    <span class="blank row" />
  </div>
)
