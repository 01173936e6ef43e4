// A rule that an organisation wrote. It is plain data: names and globs, no code and no regular expressions.

import type { Origin } from '../abstract-value.ts'
import type { Language, Primitive } from '../ir.ts'
import type { NamePattern } from '../language-model.ts'
import type { Confidence, Severity } from '../rule.ts'

/** All conditions must hold. An argument is counted from 0; an option is a named argument or an entry of a map. */
export type ArgumentCondition = ({ readonly argument: number } | { readonly option: string }) & {
  readonly is?: Primitive | undefined
  readonly like?: string | undefined
  readonly missing?: boolean | undefined
}

export type CallPattern = {
  readonly name: readonly NamePattern[]
  readonly where: readonly ArgumentCondition[]
}

export type FlowPattern = {
  /** Origins, or names of calls and members that return the data. */
  readonly from: readonly (Origin | NamePattern)[]
  readonly to: readonly { readonly call: NamePattern; readonly arguments?: readonly number[] | undefined }[]
  readonly sanitizers: readonly NamePattern[]
}

export type CustomRule = {
  readonly id: string
  readonly title: string
  readonly severity: Severity
  readonly confidence: Confidence
  readonly cwe: number
  /** `any` only for texts. */
  readonly languages: readonly Language[] | 'any'
  readonly message: string
  readonly fix: string
} & (
  | { readonly call: CallPattern }
  | { readonly flow: FlowPattern }
  /** Globs for string constants, or for the lines of any file. */
  | { readonly text: readonly string[] }
)

export const ORIGINS: readonly Origin[] = ['request', 'parameter', 'environment', 'stored']
