// The shape of a recipe, and the text of its templates for one user.

export type ClientId =
  | 'claude-code'
  | 'gemini-cli'
  | 'codex'
  | 'opencode'
  | 'continue'
  | 'cline'
  | 'aider'
  | 'cursor'
  | 'zed'
  | 'vscode'

export type ClientRecipe = {
  readonly id: ClientId
  readonly title: string
  /** The command that installs the client, or the page to get it from. */
  readonly install: { readonly command: string } | { readonly page: string }
  /** The API that the client speaks. */
  readonly wire: 'anthropic' | 'gemini' | 'responses' | 'chat'
  /** The client's own configuration files; empty if it has none that can be written. */
  readonly files: readonly ClientFile[]
  /** Steps that the user takes in the client, as templates. */
  readonly steps: readonly string[]
  /** The command that starts the client, or a sentence, as a template. */
  readonly start: string
  /** The client refuses addresses without HTTPS, except on this computer. */
  readonly needsHttps?: true
  /** Environment variables that take precedence over the files. */
  readonly conflictingVariables?: readonly string[]
  /** Limits that the user should know, as templates. */
  readonly notes: readonly string[]
}

export type ClientFile = {
  /** `~` is the home folder. Default: the path of `unix`. */
  readonly path: { readonly unix: string; readonly mac?: string; readonly windows?: string }
  /** The first variable that is set replaces the folder; `rest` follows its value. */
  readonly variables: readonly FolderVariable[]
  /** The client also reads these names in the folder; an existing file is used. */
  readonly otherNames?: readonly string[]
  readonly format: 'json' | 'toml' | 'yaml' | 'env'
  /** Top-level keys that are written only if they are missing. */
  readonly defaults?: readonly string[]
  /** The content of the file, as a template. An existing file gets these keys and keeps its others. */
  readonly snippet: string
}

type FolderVariable = { readonly name: string; readonly rest: string; readonly system?: 'linux' }

/** The values of the placeholders. */
export type ClientValues = {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly key: string
  readonly model: string
  readonly contextTokens: number
  readonly outputTokens: number
  /** Whether the model reads images. */
  readonly images: boolean
  readonly time: Date
}

/** Fills the placeholders of a template: `{baseUrl}`, `{key}`, `{model}` and those of the model's limits. */
export function fillTemplate(template: string, values: ClientValues): string {
  const { contextTokens, outputTokens } = values
  const texts: Readonly<Record<string, string>> = {
    baseUrl: values.baseUrl,
    key: values.key,
    model: values.model,
    contextTokens: String(contextTokens),
    outputTokens: String(outputTokens),
    inputTokens: String(Math.max(1, contextTokens - outputTokens)),
    images: String(values.images),
    time: values.time.toISOString(),
  }
  return template.replace(/\{([a-zA-Z]+)\}/g, (whole, name: string) => texts[name] ?? whole)
}
