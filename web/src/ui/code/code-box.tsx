// A box of its own for what is wider than a phone, such as code: it scrolls, the page does not.
import type { ComponentChildren } from 'preact'

export const CodeBox = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
  <section class="code-box" tabIndex={0} dir="ltr" aria-label={label}>
    {children}
  </section>
)
