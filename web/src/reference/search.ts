// Finds guides, operations and errors over all pages, as you type. The index is loaded when the field is first used.
import { element, requireElement } from './dom.ts'

type Entry = readonly [address: string, title: string, words: string]

const SHOWN_MAX = 12

export function setUpSearch(form: HTMLFormElement): void {
  const input = requireElement<HTMLInputElement>(form, '#search')
  const found = requireElement(form, '.found')
  let index: Promise<readonly Entry[]> | null = null
  const load = () => {
    index ??= fetch('/docs/search.json').then((reply) => reply.json() as Promise<readonly Entry[]>)
    // Without the index the form still leads to the page of results.
    index.catch(() => {
      index = null
    })
    return index
  }

  async function show(): Promise<void> {
    const query = input.value
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    const entries = words.length === 0 ? [] : await load()
    if (input.value !== query) return
    const matches = entries.filter(([, title, more]) => {
      const text = `${title} ${more}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    found.hidden = words.length === 0
    found.replaceChildren(
      ...(matches.length === 0 ? [element('p', {}, found.dataset.nothing ?? '')] : []),
      ...matches
        .slice(0, SHOWN_MAX)
        .map(([address, title, more]) =>
          element('a', { href: `/docs${address}` }, title, ' ', element('small', {}, more)),
        ),
    )
  }

  input.addEventListener('focus', () => void load().catch(() => null), { once: true })
  input.addEventListener('input', () => void show().catch(() => null))
  form.addEventListener('submit', (event) => {
    const first = found.hidden ? null : found.querySelector('a')
    if (!first) return
    event.preventDefault()
    found.hidden = true
    first.click()
  })
  form.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('.found a')) found.hidden = true
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') found.hidden = true
    // "/" moves the focus to the search, except inside a field.
    const typing = event.target instanceof Element && event.target.matches('input, textarea, select')
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
}
