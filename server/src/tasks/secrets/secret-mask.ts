// Keeps secrets from the model of a task. Every secret value is shown as a placeholder that is derived from the value, so
// that a turn that resumes on another replica shows the same text.
import type { OrgId } from '../../kernel/ids.ts'
import type { Withheld } from '../types.ts'

export type SecretMaskOptions = {
  /** Random and private to the server: the placeholders are derived from it. No model may see it. */
  readonly nonce: string
  /** The organisation, for fair scheduling on the worker threads. */
  readonly owner: OrgId
  /** Files that the caller named together with `allowSecrets`. */
  readonly allowedPaths: ReadonlySet<string>
}

export type MaskedText = { readonly text: string; readonly withheld: readonly Withheld[] }

export type SecretMask = {
  /** Everything withheld so far. */
  readonly withheld: readonly Withheld[]
  /** The whole text of a file as a model may read it. The number of lines is unchanged. */
  hide(path: string, text: string): Promise<MaskedText>
  /** Text that is not a file of the workspace, such as the output of a command. `allowedPaths` does not apply. */
  hideOutput(name: string, text: string): Promise<MaskedText>
  /** Whether the file exists to hold secrets, such as `.env`, and is not allowed. It is never shown. */
  isWithheldFile(path: string): boolean
  /** Remembers the secrets of a file, so that they are hidden in other texts. Reports nothing as withheld. */
  learn(path: string, text: string): Promise<void>
  /** Replaces placeholders by their values, which must be in `home`, the current text of the edited file. */
  restore(text: string, home: string): Promise<{ readonly text: string } | { readonly problem: string }>
  /** Plain data for a worker thread that masks texts itself. */
  readonly forWorker: MaskData
}

export type MaskData = {
  readonly nonce: string
  readonly values: readonly string[]
  readonly allowedPaths: readonly string[]
}

export declare function createSecretMask(options: SecretMaskOptions): SecretMask
