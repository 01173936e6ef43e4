// Script of the reference page: search, and "Try it".

import { requireElement } from './dom.ts'
import { setUpSearch } from './search.ts'
import { setUpTrial } from './trial.ts'

const token = requireElement<HTMLInputElement>(document, '#token')

setUpSearch(requireElement(document, '.contents'))
requireElement<HTMLFormElement>(document, 'form.token').hidden = false
requireElement(document, 'form.token').addEventListener('submit', (event) => event.preventDefault())
for (const article of document.querySelectorAll<HTMLElement>('article.operation'))
  setUpTrial(article, () => token.value.trim())
