// Asking a provider, and telling an answer from everything else that may come back.
import type { z } from 'zod'
import { type HttpClient, type HttpRequest, type HttpResponse, NoResponse } from './http-client.ts'
import { parseJsonExactly } from './parse.ts'

/** A call whose failure is an answer as well: whoever asks about money has to say something in any case. */
export async function tryCall(
  http: HttpClient,
  address: string,
  request: HttpRequest,
): Promise<HttpResponse | NoResponse> {
  try {
    return await http.call(address, request)
  } catch (error) {
    if (error instanceof NoResponse) return error
    throw error
  }
}

/** What the provider said, or why it said nothing that we can use. */
export type JsonReply<Said> = { readonly said: Said } | { readonly silence: string }

/** Asks one that answers in JSON. Failures of the provider's and shapes that we do not know are silence: nobody may conclude anything from them. */
export async function requestJson<Shape extends z.ZodType>(
  http: HttpClient,
  address: string,
  request: HttpRequest,
  shape: Shape,
): Promise<JsonReply<z.output<Shape>>> {
  const answer = await tryCall(http, address, request)
  if (answer instanceof NoResponse) return { silence: `No answer came: ${answer.message}.` }
  const { status, text } = answer
  if (status >= 500) return { silence: `The provider answered with status ${status}.` }
  const parsed = shape.safeParse(parseJsonExactly(text))
  if (parsed.success) return { said: parsed.data }
  return { silence: `The provider answered with status ${status} in a shape that we do not know.` }
}

/** A number of that country as it is dialled there, from E.164; undefined for one from elsewhere. */
export function nationalNumber(phone: string | null, prefix: '+234' | '+20'): string | undefined {
  return phone?.startsWith(prefix) ? `0${phone.slice(prefix.length)}` : undefined
}
