// "Try it": a form built from the operation, opened on request.
import {
  buildCall,
  type Call,
  codeSample,
  type Field,
  LANGUAGES,
  type Language,
  type Operation,
  type ParameterLocation,
} from './call.ts'
import { element, labelled } from './dom.ts'
import { createResult } from './result.ts'

type FilledForm = { read(): Call; nodes: Node[] }

export function setUpTrial(article: HTMLElement, token: () => string): void {
  const { method, path } = operationOf(article)
  const place = article.querySelector('.try')
  const open = element('button', { type: 'button', ariaLabel: `Try ${method} ${path}` }, 'Try it')
  open.addEventListener('click', () => {
    const form = trialForm(article, token)
    place?.replaceChildren(form)
    form.querySelector<HTMLElement>('input, textarea, button')?.focus()
  })
  place?.append(open)
}

function trialForm(article: HTMLElement, token: () => string): HTMLFormElement {
  const { read, nodes } = fieldsOf(article)
  const send = element('button', { type: 'submit', className: 'primary' }, 'Send')
  const stop = element('button', { type: 'button', hidden: true }, 'Stop')
  const result = createResult()
  const form = element(
    'form',
    {},
    ...nodes,
    ...paidWarning(article),
    element('div', { className: 'actions' }, send, stop),
    codeSamples(operationOf(article), read),
    result.node,
  )

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

const operationOf = ({ dataset: { method = '', path = '', open } }: HTMLElement): Operation => ({
  method,
  path,
  open: open !== undefined,
})

function fieldsOf(article: HTMLElement): FilledForm {
  const inputs = [...article.querySelectorAll<HTMLElement>('[data-parameter]')].map((entry) =>
    parameterInput(entry),
  )
  const example = article.querySelector<HTMLTemplateElement>('template[data-body]')?.content
  const body =
    example &&
    element('textarea', {
      value: example.textContent ?? '',
      rows: Math.min(16, (example.textContent ?? '').split('\n').length + 1),
      spellcheck: false,
    })
  return {
    read: () =>
      buildCall(
        operationOf(article),
        inputs.map(({ field }) => field()),
        body ? body.value : null,
      ),
    nodes: [...inputs.map(({ node }) => node), ...(body ? [labelled('Body', body)] : [])],
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
  return [element('label', { className: 'paid' }, agreed, 'This call debits the wallet; I mean to send it.')]
}

function codeSamples({ open }: Operation, read: () => Call): HTMLElement {
  const choice = element(
    'select',
    { ariaLabel: 'Language' },
    ...LANGUAGES.map((language) => element('option', {}, language)),
  )
  const text = element('code')
  const print = () => {
    text.textContent = codeSample(choice.value as Language, read(), { origin: location.origin, open })
  }
  const details = element(
    'details',
    {},
    element('summary', {}, 'As a program'),
    choice,
    element('pre', { tabIndex: 0 }, text),
  )
  details.addEventListener('toggle', print)
  choice.addEventListener('change', print)
  return details
}

// `randomUUID` exists on secure origins only; a development server in the local network is not one.
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
