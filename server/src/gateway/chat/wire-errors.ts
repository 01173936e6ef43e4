// Errors that end a stream, in the format of the OpenAI API.

type StreamError = { readonly message: string; readonly code: string }

/** The server also ends streams with its own frames, for example at shutdown. */
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
