// The media type that a client prefers to JSON.

/** Whether `Accept` names the type before JSON. A browser, which accepts any type, gets JSON. */
export function prefersType(accept: string | string[] | undefined, wanted: string): boolean {
  const types = String(accept ?? '')
    .toLowerCase()
    .split(',')
    .map((type) => type.split(';')[0]?.trim())
  const at = types.indexOf(wanted)
  const json = types.indexOf('application/json')
  return at >= 0 && (json < 0 || at < json)
}

export const prefersEvents = (accept: string | string[] | undefined): boolean =>
  prefersType(accept, 'text/event-stream')
