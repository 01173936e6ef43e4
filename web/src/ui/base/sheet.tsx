// The layout of a screen: a heading row with one primary action and a menu for the rest, then sections.
//
//   <Page title="API keys" action={<button class="primary">…</button>} menu={<Menu …/>}> … </Page>
import type { ComponentChildren } from 'preact'

type PageProps = {
  title: ComponentChildren
  /** One sentence below the title. */
  note?: ComponentChildren
  /** The one primary action of the screen. */
  action?: ComponentChildren
  /** Everything else that can be done here. */
  menu?: ComponentChildren
  /** narrow: 440 px, a short form. reading: 720 px, text. list: 960 px. work: all of the window. */
  width?: 'narrow' | 'reading' | 'list' | 'work'
  children: ComponentChildren
}

/** The heading receives the focus when the screen opens. */
export const Page = ({ title, note, action, menu, width = 'list', children }: PageProps) => (
  <section class={`sheet ${width}`} aria-labelledby="screen-title">
    <header class="page-head">
      <h1 id="screen-title" tabIndex={-1}>
        {title}
      </h1>
      {(action || menu) && (
        <div class="page-actions">
          {action}
          {menu}
        </div>
      )}
    </header>
    {note && <p class="page-note">{note}</p>}
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
