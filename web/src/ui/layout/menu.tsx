// A button that opens a list of links and actions. It closes by Escape, by a choice, and by a click elsewhere.
//
//   <Menu label="More actions">
//     <a href="…">Export</a>
//     <button type="button" class="grave" onClick={…}>Delete</button>   (destructive actions come last)
//   </Menu>
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from '../base/icon.tsx'

type Props = {
  label: string
  /** The content of the button. Without it the button shows three dots and the label is only spoken. */
  face?: ComponentChildren
  class?: string
  onOpen?: () => void
  children: ComponentChildren
}

export function Menu({ label, face, class: look = 'quiet', onOpen, children }: Props) {
  const isOpen = useSignal(false)
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    if (!isOpen.value) return
    const close = (event: Event) => {
      if (!(event.target instanceof Node && box.current?.contains(event.target))) isOpen.value = false
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('focusin', close)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('focusin', close)
    }
  }, [isOpen.value])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to the keys of the buttons inside.
    <div
      ref={box}
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen.value) return
        event.stopPropagation()
        isOpen.value = false
        box.current?.querySelector('button')?.focus()
      }}
    >
      <button
        type="button"
        class={look}
        aria-label={label}
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => {
          isOpen.value = !isOpen.value
          if (isOpen.value) onOpen?.()
        }}
      >
        {face ?? <Icon name="more" />}
      </button>
      {isOpen.value && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: links and buttons inside are reached by keyboard and click here too.
        // biome-ignore lint/a11y/noStaticElementInteractions: it only closes after a choice inside.
        <div
          id={id}
          class="menu-list"
          onClick={(event) => {
            if (event.target instanceof Element && event.target.closest('a, button')) isOpen.value = false
          }}
        >
          {children}
        </div>
      )}
    </div>
  )
}
