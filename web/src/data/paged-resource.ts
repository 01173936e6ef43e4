// A long list, loaded page by page: the first page at once, the others on request.
import { computed, type ReadonlySignal, useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { type Resource, type ResourceState, useResource } from './resource.ts'
import { type Action, useAction } from './use-action.ts'

type Page<N extends string, T> = { [name in N]: T[] } & { nextCursor: string | null }
export type Pages<T> = Resource<T[]> & {
  readonly more: Action<[]>
  readonly hasMore: ReadonlySignal<boolean>
}

type Cursor = { cursor?: string }

/** `field` names the list in the response; `name` identifies the request, as for a resource. Reloading starts at the first page. */
export function usePages<T, N extends string>(
  field: N,
  name: string,
  ask: (from: Cursor) => Promise<Page<N, T>>,
): Pages<T> {
  const { current: first, load } = useResource(name, () => ask({}))
  // Later pages belong to the first page they were loaded after, and are dropped with it.
  const later = useSignal<{ after: ResourceState<Page<N, T>>; pages: Page<N, T>[] }>({
    after: first.value,
    pages: [],
  })
  // Another name is another list with its own computed values.
  const { pages, current, next, hasMore } = useMemo(() => {
    const pages = computed((): Page<N, T>[] => {
      const page = first.value
      if (page.state !== 'ready') return []
      return later.value.after === page ? [page.value, ...later.value.pages] : [page.value]
    })
    const current = computed((): ResourceState<T[]> => {
      const page = first.value
      if (page.state !== 'ready') return page
      return { state: 'ready', value: pages.value.flatMap((each) => each[field]) }
    })
    const next = computed(() => pages.value.at(-1)?.nextCursor ?? null)
    return { pages, current, next, hasMore: computed(() => next.value !== null) }
  }, [first])
  const more = useAction(async () => {
    const [cursor, after, known] = [next.peek(), first.peek(), pages.peek()]
    if (cursor === null) return
    const page = await ask({ cursor })
    if (first.peek() === after) later.value = { after, pages: [...known.slice(1), page] }
  })
  return { current, load, more, hasMore }
}
