// Looks on a thread for what a text says beyond its findings.
import type { Finding, Plan } from '../terms.ts'
import { type Unsupported, verifyReport } from './verify.ts'

export type UnsupportedInput = {
  readonly markdown: string
  readonly findings: readonly Finding[]
  readonly plan: Plan
}

export const run = ({ markdown, findings, plan }: UnsupportedInput): readonly Unsupported[] =>
  verifyReport(markdown, findings, plan).unsupported
