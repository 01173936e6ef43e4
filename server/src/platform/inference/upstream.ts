// A model behind an OpenAI-compatible service.
import type { App } from '../app.ts'
import { type ModelAnswer, type Question, type Target, UpstreamFailed } from './question.ts'

export async function answerOfUpstream(
  _app: App,
  _target: Target & { kind: 'http' },
  _question: Question,
): Promise<ModelAnswer> {
  throw new UpstreamFailed('unavailable', 'not built yet')
}
