// The response to a request: status, time, headers and the start of the body.
import type { Call } from './call.ts'
import { element } from './dom.ts'
import { indentExactly } from './exact-json.ts'

const SHOWN_MAX_CHARACTERS = 200_000

export type Result = {
  node: HTMLElement
  show(call: Call, token: string, signal: AbortSignal): Promise<void>
}

export function createResult(): Result {
  const line = element('p', { role: 'status' })
  const headers = element('code')
  const body = element('code')
  const more = element(
    'details',
    { hidden: true },
    element('summary', {}, 'Headers'),
    element('pre', { tabIndex: 0 }, headers),
  )
  const shown = element('pre', { className: 'answer-body', tabIndex: 0, hidden: true }, body)

  async function show(call: Call, token: string, signal: AbortSignal): Promise<void> {
    line.textContent = 'Waiting for the response …'
    body.textContent = ''
    more.hidden = shown.hidden = true
    const started = performance.now()
    const elapsed = () => `${Math.round(performance.now() - started)} ms`
    try {
      const response = await send(call, token, signal)
      if (response.type === 'opaqueredirect') {
        line.textContent = `A redirect after ${elapsed()}. Browsers hide its address from scripts.`
        return
      }
      const head = `${response.status} ${response.statusText}`.trim()
      line.textContent = `${head} after ${elapsed()}`
      headers.textContent = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
      more.hidden = shown.hidden = false
      const whole = await readInto(body, response)
      line.textContent = `${head} after ${elapsed()}${whole ? '' : `; only the first ${SHOWN_MAX_CHARACTERS} characters are shown`}`
    } catch (error) {
      line.textContent = signal.aborted
        ? `Stopped after ${elapsed()}.`
        : `No response: ${error instanceof Error ? error.message : String(error)}`
    }
  }

  return { node: element('div', { className: 'result' }, line, more, shown), show }
}

/** With a token the cookie is not sent, so that the token alone identifies the caller. */
function send(
  { method, address, headers, body }: Call,
  token: string,
  signal: AbortSignal,
): Promise<Response> {
  return fetch(address, {
    method,
    headers: { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body,
    credentials: token ? 'omit' : 'same-origin',
    redirect: 'manual',
    cache: 'no-store',
    signal,
  })
}

/** Shows text while it arrives, up to the limit. Returns whether that was all. */
async function readInto(target: HTMLElement, response: Response): Promise<boolean> {
  const type = response.headers.get('content-type') ?? ''
  if (!response.body) return true
  if (type !== '' && !/text\/|json|xml/.test(type)) {
    target.textContent = `${(await response.blob()).size} bytes of ${type}`
    return true
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let length = 0; length < SHOWN_MAX_CHARACTERS; ) {
    const { done, value } = await reader.read()
    if (done) {
      if (type.includes('json')) target.textContent = indentExactly(target.textContent ?? '')
      return true
    }
    target.append(value.slice(0, SHOWN_MAX_CHARACTERS - length))
    length += value.length
  }
  await reader.cancel()
  return false
}
