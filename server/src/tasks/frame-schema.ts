// Shapes of the events of a task, as the stream sends them. The events are made in events.ts.
import { z } from 'zod'
import { minorOut, timestamp } from '../platform/http/shapes.ts'
import { Verification, withheld } from './schema.ts'
import { TURN_STOPS } from './types.ts'

const frame = {
  seq: z.int().min(1).meta({ description: 'The number of the event within its task, from 1.' }),
  at: timestamp,
  turnId: z.string().nullable().meta({ description: 'Null for a fact between turns.' }),
}
const step = z.int().meta({ description: 'The number of the step within its turn.' })
const text = {
  step,
  attempt: z.int().meta({ description: 'A higher one replaces the text of the step.' }),
  text: z.string().meta({ description: 'A piece to append to the earlier ones.' }),
}
const call = {
  step,
  callId: z.string().meta({ examples: ['call_1_2'] }),
  tool: z.string().meta({ examples: ['read'] }),
}
const input = z
  .unknown()
  .meta({ description: 'The arguments of the tool.', examples: [{ path: 'src/kobo.js' }] })
const isInputOmitted = z.literal(true).optional().meta({
  description:
    'The input is too large for an event and null here. Read it at `GET /tasks/{id}/tool-results/{callId}`.',
})

export const TaskFrame = z
  .union([
    z
      .object({ ...frame, kind: z.literal('message'), ...text })
      .meta({ description: 'A piece of the answer of the model.' }),
    z
      .object({ ...frame, kind: z.literal('reasoning'), ...text })
      .meta({ description: 'A piece of the reasoning of the model.' }),
    z
      .object({
        ...frame,
        kind: z.literal('tool'),
        ...call,
        input: input.meta({ description: 'The arguments of the tool. Long texts are cut.' }),
      })
      .meta({ description: 'The service runs a tool.' }),
    z
      .object({
        ...frame,
        kind: z.literal('tool_result'),
        ...call,
        ok: z.boolean(),
        output: z.string(),
        isTruncated: z.boolean().meta({
          description:
            'The output is shortened. `GET /tasks/{id}/tool-results/{callId}` returns the whole output.',
        }),
      })
      .meta({ description: 'The result of a tool call.' }),
    z
      .object({
        ...frame,
        kind: z.literal('change'),
        step: step.nullable(),
        path: z.string().meta({ examples: ['src/kobo.js'] }),
        action: z.enum(['create', 'update', 'delete']),
        added: z.int().meta({ description: 'Lines.' }),
        removed: z.int().meta({ description: 'Lines.' }),
      })
      .meta({ description: 'A file changed.' }),
    z
      .object({
        ...frame,
        kind: z.literal('cost'),
        step,
        costMinor: minorOut.meta({ description: 'The charge of the model call.' }),
        spentMinor: minorOut.meta({ description: 'The charges of the turn so far.' }),
        balanceMinor: minorOut.optional().meta({
          description: 'The amount that the member can still spend. Older events do not have it.',
        }),
        model: z.string(),
        tokens: z.int(),
      })
      .meta({ description: 'A model call was charged.' }),
    z.object({ ...frame, kind: z.literal('needs_tool'), ...call, input, isInputOmitted }).meta({
      description: 'A client workspace: run the tool and send its result to `POST /tasks/{id}/tool-results`.',
    }),
    z
      .object({
        ...frame,
        kind: z.literal('needs_approval'),
        ...call,
        approvalId: z.string().meta({ examples: ['call_1_2'] }),
        input,
        isInputOmitted,
        reason: z.string().meta({ description: 'A sentence for the person who decides.' }),
      })
      .meta({ description: 'The call waits for a decision: `POST /tasks/{id}/approvals`.' }),
    z
      .object({
        ...frame,
        kind: z.literal('status'),
        status: z.enum(['queued', 'running', 'waiting', 'finished']),
        note: z
          .enum(['compacted', 'retrying', 'verifying', 'preparing', 'reverted', 'rejected', 'pull_request'])
          .optional()
          .meta({
            description:
              '`compacted`: a summary replaced the start of the transcript. `retrying`: a failed step is repeated. `preparing`: dependencies are installed. `verifying`: the tests run. `reverted`: the files were restored as the turn in `detail` left them, or after an earlier change. `rejected`: the caller rejected changes; `change` events follow. `pull_request`: `detail` is the new state of the pull request. For these three, `turnId` is null.',
          }),
        detail: z.string().optional(),
        stopReason: z
          .enum(TURN_STOPS)
          .optional()
          .meta({ description: 'Present when a turn has finished, as are the fields below.' }),
        summary: z.string().nullable().optional(),
        verification: Verification.nullable().optional(),
        spentMinor: minorOut.optional(),
        withheld: withheld.optional(),
      })
      .meta({ description: 'The turn changed its status, or something notable happened.' }),
  ])
  .meta({ id: 'TaskEvent' })
