// The request and the frames of a loop.
import { z } from 'zod'
import { usuallyMinor } from '../../metering/metering.ts'
import { minorOut, text } from '../../platform/http/shapes.ts'
import { AgentRunRequest, AgentRunResult } from '../schema.ts'
import { ITERATIONS_MAX, TEST_COMMAND_CHARACTERS } from './limits.ts'

export const SANDBOXES = ['none', 'local', 'docker'] as const
export const STOP_REASONS = [
  'verified',
  'not_verified',
  'max_iters',
  'stuck',
  'budget',
  'balance',
  'cancelled',
  'interrupted',
  'wall_clock',
  'suspended',
  'policy',
  'sandbox_failed',
  'upstream_error',
] as const
export type LoopStopReason = (typeof STOP_REASONS)[number]

export const LoopRequest = AgentRunRequest.safeExtend({
  sandbox: z.enum(SANDBOXES).default('none'),
  testCmd: text(TEST_COMMAND_CHARACTERS)
    .refine((command) => command.trim() !== '' && !command.includes('\0'), { error: 'must be a command' })
    .optional(),
  maxIters: z.int().min(1).max(ITERATIONS_MAX).optional(),
  allowTestEdits: z.boolean().default(false),
}).refine(({ sandbox, testCmd }) => sandbox === 'none' || testCmd !== undefined, {
  path: ['testCmd'],
  error: 'is required with a sandbox',
})
export type LoopRequest = z.output<typeof LoopRequest>

const seq = z.int()
const Tests = z.object({ passed: z.int(), failed: z.int() })

const StartFrame = z.object({
  seq,
  start: z.object({
    id: z.string(),
    lane: z.enum(['open', 'frontier']),
    model: z.string(),
    sandbox: z.enum(SANDBOXES),
    maxIters: z.int(),
    maxMinor: minorOut,
    usuallyMinor,
  }),
})
const DeltaFrame = z.object({ seq, delta: z.string() })
const StepFrame = z.object({
  seq,
  step: z.enum(['plan', 'edit', 'verify', 'retry']),
  /** The iteration; 0 is the test run before the first. */
  turn: z.int(),
  ok: z.boolean(),
  costMinor: minorOut,
  note: z.string().optional(),
  files: z.array(z.object({ path: z.string(), action: z.enum(['create', 'update', 'delete']) })).optional(),
  failures: z.array(z.object({ path: z.string(), reason: z.string() })).optional(),
  tests: Tests.optional(),
  excerpt: z.string().optional(),
})
const ResultFrame = z.object({
  seq,
  result: AgentRunResult,
  verified: z.boolean(),
  iterations: z.int(),
  cancelled: z.boolean(),
  totalCostMinor: minorOut,
  balanceMinor: minorOut,
  stopReason: z.enum(STOP_REASONS),
  id: z.string(),
  testsModified: z.boolean().optional(),
  evidence: z.enum(['tests', 'exit-code', 'passed-before']).optional(),
  tests: Tests.optional(),
})
export type StepFrame = z.input<typeof StepFrame>
export type ResultFrame = z.input<typeof ResultFrame>

export const LoopFrame = z.union([StartFrame, DeltaFrame, StepFrame, ResultFrame])
export type LoopFrame = z.input<typeof LoopFrame>
