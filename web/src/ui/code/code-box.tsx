// A box that scrolls sideways, for code wider than the screen.
import type { ComponentChildren } from 'preact'

export const CodeBox = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
  <section class="code-box" tabIndex={0} dir="ltr" aria-label={label}>
    {children}
  </section>
)
