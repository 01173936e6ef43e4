// An error that ends a stream, as clients of the OpenAI wire read it.

type StreamError = { readonly message: string; readonly code: string }

/** The pipeline ends streams with its own frames as well, for example when the service shuts down. */
export function streamErrorOf(refusal: object): StreamError {
  const { error, code = 'internal' } = refusal as { error?: unknown; code?: string }
  if (typeof error === 'string') return { message: error, code }
  return error as StreamError
}

export function chatError(refusal: object): object {
  const { error } = refusal as { error?: unknown }
  if (typeof error !== 'string') return refusal
  return { error: { ...streamErrorOf(refusal), type: 'server_error', param: null } }
}
