// Tabs. The arrow keys move between them.
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

type Tab = { id: string; name: ComponentChildren; view: () => ComponentChildren }

export function Tabs({
  label,
  tabs,
  chosen,
}: {
  label: string
  tabs: readonly Tab[]
  chosen: Signal<string>
}) {
  const list = useRef<HTMLDivElement>(null)
  const current = tabs.find(({ id }) => id === chosen.value) ?? tabs[0]
  function move(event: KeyboardEvent) {
    const forward =
      getComputedStyle(event.currentTarget as Element).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const by = { ArrowRight: forward === 'ArrowRight' ? 1 : -1, ArrowLeft: forward === 'ArrowLeft' ? 1 : -1 }[
      event.key
    ]
    const at = tabs.findIndex(({ id }) => id === current?.id)
    const next = by && tabs[(at + by + tabs.length) % tabs.length]
    if (!next) return
    event.preventDefault()
    chosen.value = next.id
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus()
  }
  return (
    <>
      <div ref={list} class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ id, name }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === current?.id}
            aria-controls="tab-view"
            tabIndex={id === current?.id ? 0 : -1}
            onClick={() => {
              chosen.value = id
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div id="tab-view" role="tabpanel" aria-labelledby={`tab-${current?.id}`}>
        {current?.view()}
      </div>
    </>
  )
}
