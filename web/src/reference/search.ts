// Finds an operation by the words of its method, path, name or summary.
import { requireElement } from './dom.ts'

export function setUpSearch(contents: HTMLElement): void {
  requireElement(contents, 'search').hidden = false
  const input = requireElement<HTMLInputElement>(contents, '#search')
  const status = requireElement(contents, '[role=status]')
  const entries = [...contents.querySelectorAll<HTMLElement>('li[data-words]')]

  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const found = entries.filter((entry) => {
      entry.hidden = !words.every((word) => entry.dataset.words?.includes(word))
      return !entry.hidden
    })
    for (const group of contents.querySelectorAll('section'))
      group.hidden = words.length > 0 && !group.querySelector('li[data-words]:not([hidden])')
    status.textContent =
      words.length === 0 ? '' : found.length === 1 ? '1 operation' : `${found.length} operations`
  })

  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    entries
      .find((entry) => !entry.hidden)
      ?.querySelector('a')
      ?.click()
  })

  // "/" moves the focus to the search, except inside a field.
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof Element && event.target.matches('input, textarea, select')
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
}
