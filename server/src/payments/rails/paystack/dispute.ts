// Answers to disputes at Paystack. A decision needs a file: the evidence is uploaded as text to the address that Paystack
// names.
import { z } from 'zod'
import { type HttpClient, type HttpResponse, NoResponse } from '../http-client.ts'
import type { DisputeAnswer, DisputeAnswerResult, PaidQuery } from '../rail.ts'
import { tryCall } from '../request.ts'
import { redactedDetail } from '../text.ts'
import { Envelope } from './replies.ts'
import { providerAmount } from './status.ts'

type Call = (path: string, body?: object, method?: 'PUT') => Promise<HttpResponse | NoResponse>
type Failure = Exclude<DisputeAnswerResult, { status: 'accepted' }>
type Step<Data> = { readonly data: Data } | { readonly failure: Failure }

export async function answerPaystackDispute(
  http: HttpClient,
  call: Call,
  { reference, currency }: PaidQuery,
  number: string,
  answer: DisputeAnswer,
): Promise<DisputeAnswerResult> {
  const path = `/dispute/${encodeURIComponent(number)}`
  const evidence = answer.kind === 'contested' ? await sendEvidence(call, path, answer) : { data: null }
  if ('failure' in evidence) return evidence.failure
  const upload = await readStep(
    await call(`${path}/upload_url?upload_filename=${encodeURIComponent(`${reference}.txt`)}`),
    Upload,
  )
  if ('failure' in upload) return upload.failure
  const { signedUrl, fileName } = upload.data
  const stored = await tryCall(http, signedUrl, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: answer.kind === 'contested' ? `${answer.message}\n\n${answer.serviceDetails}` : answer.message,
  })
  if (stored instanceof NoResponse) return { status: 'unknown', reason: stored.message }
  if (stored.status >= 300)
    return { status: 'unknown', reason: `The file store of Paystack answered with status ${stored.status}.` }
  const resolved = await readStep(
    await call(
      `${path}/resolve`,
      {
        resolution: answer.kind === 'accepted' ? 'merchant-accepted' : 'declined',
        message: answer.message,
        refund_amount: answer.kind === 'accepted' ? providerAmount(answer.amountMinor, currency) : 0,
        uploaded_filename: fileName,
        ...(evidence.data && { evidence: evidence.data.id }),
      },
      'PUT',
    ),
    z.unknown(),
  )
  return 'failure' in resolved ? resolved.failure : { status: 'accepted' }
}

const Evidence = z.object({ id: z.union([z.number().int(), z.string().max(64)]) })
const Upload = z.object({ signedUrl: z.url({ protocol: /^https?$/ }), fileName: z.string().min(1).max(300) })

const sendEvidence = async (
  call: Call,
  path: string,
  { customer, serviceDetails }: Extract<DisputeAnswer, { kind: 'contested' }>,
) =>
  readStep(
    await call(`${path}/evidence`, {
      customer_email: customer.email,
      customer_name: customer.name,
      customer_phone: customer.phone ?? 'unknown',
      service_details: serviceDetails,
    }),
    Evidence,
  )

function readStep<Shape extends z.ZodType>(
  answer: HttpResponse | NoResponse,
  shape: Shape,
): Step<z.output<Shape>> {
  if (answer instanceof NoResponse) return failed('unknown', answer.message)
  const envelope = Envelope.safeParse(answer.json)
  if (!envelope.success || answer.status >= 500 || answer.status === 408)
    return failed('unknown', `Paystack answered with status ${answer.status}.`)
  if (answer.status >= 300 || !envelope.data.status)
    return failed('refused', redactedDetail(answer.status, envelope.data.message))
  const data = shape.safeParse(envelope.data.data)
  return data.success ? { data: data.data } : failed('unknown', 'Paystack sent an unreadable reply.')
}

const failed = (status: Failure['status'], reason: string): { failure: Failure } => ({
  failure: { status, reason },
})
