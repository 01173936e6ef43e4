// Script of the reference page: search, and "Try it".

import { present } from './dom.ts'
import { offerSearch } from './search.ts'
import { offerTrial } from './trial.ts'

const token = present<HTMLInputElement>(document, '#token')

offerSearch(present(document, '.contents'))
present<HTMLFormElement>(document, 'form.token').hidden = false
present(document, 'form.token').addEventListener('submit', (event) => event.preventDefault())
for (const article of document.querySelectorAll<HTMLElement>('article.operation'))
  offerTrial(article, () => token.value.trim())
