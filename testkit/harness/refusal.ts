// Reads error responses of any client API in our format.

export type Refusal = {
  readonly error?: string
  readonly code?: string
  readonly requestId?: string
  readonly fields?: readonly { readonly path: string; readonly message: string }[]
}

type OpenAiError = { message?: string; code?: string; fields?: Refusal['fields'] }
type Detail = {
  reason?: string
  requestId?: string
  fieldViolations?: { field: string; description: string }[]
}

export function refusalIn(body: Readonly<Record<string, unknown>>): Refusal {
  const { error } = body
  if ('scimType' in body || 'schemas' in body) return scimRefusal(body as ScimError)
  if (error === null || typeof error !== 'object') return body as Refusal
  if ('details' in error) return geminiRefusal(error as { message: string; details: Detail[] })
  const { message, code, fields } = error as OpenAiError
  const requestId = body.requestId ?? body.request_id
  return {
    ...(message !== undefined && { error: message }),
    ...(code !== undefined && { code }),
    ...(typeof requestId === 'string' && { requestId }),
    ...(fields && { fields }),
  }
}

type ScimError = { detail: string; code: string; requestId: string; fields?: Refusal['fields'] }

const scimRefusal = ({ detail, code, requestId, fields }: ScimError): Refusal => ({
  error: detail,
  code,
  requestId,
  ...(fields && { fields }),
})

function geminiRefusal({ message, details }: { message: string; details: readonly Detail[] }): Refusal {
  const { reason, requestId, fieldViolations }: Detail = Object.assign({}, ...details)
  const fields = fieldViolations?.map(({ field, description }) => ({ path: field, message: description }))
  return {
    error: message,
    ...(reason !== undefined && { code: reason }),
    ...(requestId !== undefined && { requestId }),
    ...(fields && { fields }),
  }
}
