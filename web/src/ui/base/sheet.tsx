// The layout of a screen. Its heading receives the focus.
import type { ComponentChildren } from 'preact'

type Props = { title: ComponentChildren; wide?: boolean; children: ComponentChildren }

export const Sheet = ({ title, wide = false, children }: Props) => (
  <section class={wide ? 'sheet wide' : 'sheet narrow'} aria-labelledby="screen-title">
    <h1 id="screen-title" tabIndex={-1}>
      {title}
    </h1>
    {children}
  </section>
)

/** A section of a screen with its own heading. */
export const Section = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="part" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)
