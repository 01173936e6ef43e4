// A code host as reviews use it: one repository with its pull requests, comments and checks. GitHub, GitLab and Bitbucket
// implement it.
export const FORGE_KINDS = ['github', 'gitlab', 'bitbucket'] as const
export type ForgeKind = (typeof FORGE_KINDS)[number]
export const FORGE_NAMES: Readonly<Record<ForgeKind, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  bitbucket: 'Bitbucket',
}

export type PullSnapshot = {
  readonly isOpen: boolean
  readonly headSha: string
  /** Empty when unknown. */
  readonly baseSha: string
  /** Null when unknown. */
  readonly defaultBranch: string | null
}

export type ChangedFile = {
  readonly filename: string
  readonly status: string
  /** From the first hunk on; absent for binary and large files. */
  readonly patch?: string | undefined
  readonly changes: number
}

export type ChangedFiles = {
  readonly files: readonly ChangedFile[]
  /** False when the host or the limit left files out. */
  readonly isWhole: boolean
}

export type InlineComment = {
  readonly path: string
  readonly line: number
  /** The first of several lines; `line` is the last. */
  readonly startLine?: number
  readonly body: string
}

export type InlineReview = {
  readonly headSha: string
  readonly body: string
  readonly comments: readonly InlineComment[]
}

export type CheckAnnotation = {
  readonly path: string
  readonly start_line: number
  readonly end_line: number
  readonly annotation_level: 'failure' | 'warning' | 'notice'
  readonly title: string
  readonly message: string
}

export type CheckInput = {
  readonly headSha: string
  readonly conclusion: 'success' | 'neutral' | 'failure'
  readonly title: string
  readonly summary: string
  readonly annotations: readonly CheckAnnotation[]
  /** The page of Cowrie that shows the details. */
  readonly detailsUrl: string
}

/** The person who wrote a comment. GitHub identifies people by name, the others by id. */
export type CommentAuthor = { readonly name: string; readonly id: string }
export type Access = 'none' | 'read' | 'write' | 'admin'

export type Forge = {
  readonly kind: ForgeKind
  /** Whether the annotations of a check are visible. */
  readonly hasAnnotations: boolean
  withSignal(signal: AbortSignal): Forge
  fetchPull(number: number): Promise<PullSnapshot>
  /** The first `most` changed files. */
  listChangedFiles(number: number, most: number): Promise<ChangedFiles>
  /** For tokens that may read contents but not pull requests. */
  compareCommits(base: string, head: string): Promise<ChangedFile[]>
  /** A text file at a commit or on the default branch. Null when it does not exist or is too large. */
  fetchFile(path: string, ref: string | null, bytesMax: number): Promise<string | null>
  /** File names in the root folder. Null means the default branch. */
  listRootFiles(ref: string | null): Promise<Set<string>>
  /** The tree at a commit as a compressed archive with one top folder. */
  fetchArchive(sha: string, bytesMax: number): Promise<Buffer>
  /** The texts of comments on lines, or in the conversation of a pull request. */
  listCommentBodies(number: number, where: 'lines' | 'conversation'): Promise<string[]>
  /** Returns the comments that the host accepted. */
  publishInline(number: number, review: InlineReview): Promise<ReadonlySet<InlineComment>>
  publishComment(number: number, body: string): Promise<void>
  /** Creates or updates the check of a head and returns its number. `saveId` receives it as soon as the check exists. */
  publishCheck(
    check: CheckInput,
    knownId: number | null,
    saveId: (id: number) => Promise<void>,
  ): Promise<number>
  /** The texts of a thread, oldest first; empty when it does not exist. */
  readThread(number: number, thread: string): Promise<string[]>
  replyInThread(number: number, thread: string, body: string): Promise<void>
  accessOf(author: CommentAuthor): Promise<Access>
}

/** Such a path could address another endpoint. */
export const isPlainPath = (path: string): boolean =>
  !path.split('/').some((part) => part === '' || part === '.' || part === '..')
