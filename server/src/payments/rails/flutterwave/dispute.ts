// Answers to chargebacks at Flutterwave. Proof is uploaded in its dashboard; the API takes a comment.
import { type HttpResponse, NoResponse } from '../http-client.ts'
import type { DisputeAnswer, DisputeAnswerResult } from '../rail.ts'
import { redactedDetail } from '../text.ts'
import { Envelope } from './status.ts'

type Call = (path: string, body: object) => Promise<HttpResponse | NoResponse>

const COMMENT_CHARACTERS_MAX = 2_000

export async function answerFlutterwaveDispute(
  call: Call,
  number: string,
  answer: DisputeAnswer,
): Promise<DisputeAnswerResult> {
  const comment =
    answer.kind === 'accepted' ? answer.message : `${answer.message}\n\n${answer.serviceDetails}`
  const reply = await call(`/chargebacks/${encodeURIComponent(number)}`, {
    action: answer.kind === 'accepted' ? 'accept' : 'decline',
    comment: comment.slice(0, COMMENT_CHARACTERS_MAX),
  })
  if (reply instanceof NoResponse) return { status: 'unknown', reason: reply.message }
  const envelope = Envelope.safeParse(reply.json)
  if (!envelope.success || reply.status >= 500 || reply.status === 408)
    return { status: 'unknown', reason: `Flutterwave answered with status ${reply.status}.` }
  const { status, message } = envelope.data
  return reply.status < 300 && status === 'success'
    ? { status: 'accepted' }
    : { status: 'refused', reason: redactedDetail(reply.status, message) }
}
