// "Try it": a form built from the operation, opened on request.
import { codeTokens } from '../../../server/src/platform/http/openapi/docs/code-tokens.ts'
import {
  printSample,
  SAMPLE_LANGUAGES,
  type SampleCall,
  type SampleLanguage,
} from '../../../server/src/platform/http/openapi/docs/print-sample.ts'
import { buildCall, type Call, type Field, type Operation, type ParameterLocation, sampleOf } from './call.ts'
import { element, labelled } from './dom.ts'
import { createResult } from './result.ts'

type FilledForm = { read(): Call; sample(): SampleCall | null; nodes: Node[] }

export function setUpTrial(article: HTMLElement, token: () => string): void {
  const { method, path } = operationOf(article)
  const place = article.querySelector('.try')
  const open = element('button', { type: 'button', ariaLabel: `Try it: ${method} ${path}` }, 'Try it')
  open.addEventListener('click', () => {
    const form = trialForm(article, token)
    place?.replaceChildren(form)
    form.querySelector<HTMLElement>('input, textarea, button')?.focus()
  })
  place?.append(open)
}

function trialForm(article: HTMLElement, token: () => string): HTMLFormElement {
  const { read, sample, nodes } = fieldsOf(article)
  const send = element('button', { type: 'submit', className: 'primary' }, 'Send')
  const stop = element('button', { type: 'button', hidden: true }, 'Stop')
  const result = createResult()
  const form = element(
    'form',
    {},
    ...nodes,
    ...paidWarning(article),
    element('div', { className: 'actions' }, send, stop),
    result.node,
  )

  followForm(article, form, sample)

  let running: AbortController | null = null
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (running) return
    const controller = new AbortController()
    running = controller
    stop.hidden = false
    send.ariaDisabled = 'true'
    void result.show(read(), token(), controller.signal).finally(() => {
      running = null
      stop.hidden = true
      send.ariaDisabled = null
    })
  })
  stop.addEventListener('click', () => running?.abort())
  return form
}

const operationOf = ({ id, dataset: { method = '', path = '', sample = '' } }: HTMLElement): Operation => ({
  name: id,
  method,
  path,
  sample: JSON.parse(sample) as Operation['sample'],
})

function fieldsOf(article: HTMLElement): FilledForm {
  const operation = operationOf(article)
  const inputs = [...article.querySelectorAll<HTMLElement>('[data-parameter]')].map((entry) =>
    parameterInput(entry),
  )
  const example = article.querySelector<HTMLTemplateElement>('template[data-body]')
  const text = example?.content.textContent ?? ''
  const area =
    example &&
    element('textarea', { value: text, rows: Math.min(16, text.split('\n').length + 1), spellcheck: false })
  const fields = () => inputs.map(({ field }) => field())
  const body = () => area && { text: area.value, type: example.dataset.body ?? '' }
  return {
    read: () => buildCall(operation, fields(), body()),
    sample: () => sampleOf(operation, fields(), body()),
    nodes: [...inputs.map(({ node }) => node), ...(area ? [labelled('Body', area)] : [])],
  }
}

function parameterInput(entry: HTMLElement): { node: HTMLElement; field: () => Field } {
  const { parameter: name = '', in: place = 'query', required } = entry.dataset
  const input = element('input', {
    type: 'text',
    autocomplete: 'off',
    spellcheck: false,
    required: required !== undefined,
  })
  // The key is created with the form, so that pressing Send again is a retry.
  if (name === 'Idempotency-Key') input.value = newKey()
  return {
    node: labelled(`${name} (${place}${required === undefined ? ', optional' : ''})`, input),
    field: () => ({ name, place: place as ParameterLocation, value: input.value }),
  }
}

/** Warns before a request that costs money. */
function paidWarning(article: HTMLElement): Node[] {
  if (article.dataset.paid === undefined) return []
  const agreed = element('input', { type: 'checkbox', required: true })
  return [element('label', { className: 'paid' }, agreed, 'This request costs money. Send it anyway.')]
}

/** Keeps the samples beside the form equal to what it sends. */
function followForm(article: HTMLElement, form: HTMLFormElement, read: () => SampleCall | null): void {
  const print = () => {
    const call = read()
    if (!call) return
    for (const language of Object.keys(SAMPLE_LANGUAGES) as SampleLanguage[]) {
      const text = printSample(language, call, location.origin)
      const parts = codeTokens(text, language).map(([kind, token]) =>
        kind === null ? token : element(kind, {}, token),
      )
      article.querySelector(`.samples pre.${language} code`)?.replaceChildren(...parts)
    }
  }
  form.addEventListener('input', print)
}

// `randomUUID` exists on secure origins only; a development server in the local network is not one.
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
