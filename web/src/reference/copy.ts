// A button on each sample that copies the shown code.
import { element } from './dom.ts'

const SHOWN_MS = 2000

export function setUpCopying(): void {
  const { copy = '', copied = '' } = document.body.dataset
  for (const block of document.querySelectorAll<HTMLElement>('.samples, .block:not(.output)')) {
    const button = element('button', { type: 'button', className: 'copy' }, copy)
    button.addEventListener('click', () => {
      const shown = [...block.querySelectorAll('pre')].find((code) => code.checkVisibility())
      void navigator.clipboard.writeText(shown?.textContent ?? '').then(() => {
        button.textContent = copied
        setTimeout(() => {
          button.textContent = copy
        }, SHOWN_MS)
      })
    })
    block.querySelector('.choice, figcaption')?.append(button)
  }
}
