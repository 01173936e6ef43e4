// The coding clients that the soak runs, and the tools that they offer to a model.
import type { ClientId } from '@cowrie/sdk/clients'

export type ClientSetup = {
  readonly address: string
  readonly key: string
  readonly model: string
  readonly prompt: string
  readonly folder: string
}

/** A call of a tool of the client, or the text of a client that reads its calls from the text. */
export type ModelStep = { readonly tool: string; readonly input: object } | { readonly text: string }

export type CodingClient = {
  readonly id: string
  readonly package: string
  readonly version: string
  readonly program: string
  /** The recipe that configures it. */
  readonly recipe?: ClientId
  args(setup: ClientSetup): readonly string[]
  variables?(setup: ClientSetup): Readonly<Record<string, string>>
  /** Further files; `~` is the home folder. */
  files?(setup: ClientSetup): readonly { readonly path: string; readonly text: string }[]
  /** The calls with which a model reads the file, replaces `from` by `to` in it and shows it. */
  steps(file: string, from: string, to: string): readonly ModelStep[]
}

const show = (file: string) => `cat '${file}'`

export const CLAUDE_CODE: CodingClient = {
  id: 'claude-code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.326',
  program: 'claude',
  recipe: 'claude-code',
  // As root, it refuses to skip permissions but accepts a list of tools.
  args: ({ prompt }) => ['-p', prompt, '--output-format', 'json', '--allowedTools', 'Read,Edit,Bash'],
  variables: () => ({ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }),
  steps: (file, from, to) => [
    { tool: 'Read', input: { file_path: file } },
    { tool: 'Edit', input: { file_path: file, old_string: from, new_string: to } },
    { tool: 'Bash', input: { command: show(file), description: 'Show the file' } },
  ],
}

export const GEMINI_CLI: CodingClient = {
  id: 'gemini-cli',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: 'gemini',
  recipe: 'gemini-cli',
  args: ({ prompt }) => ['-p', prompt, '--yolo', '--output-format', 'json'],
  variables: () => ({ GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
  steps: (file, from, to) => [
    { tool: 'read_file', input: { file_path: file } },
    {
      tool: 'replace',
      input: { file_path: file, old_string: from, new_string: to, instruction: `Replace ${from} by ${to}` },
    },
    { tool: 'run_shell_command', input: { command: show(file), description: 'Show the file' } },
  ],
}

export const CODEX: CodingClient = {
  id: 'codex',
  package: '@openai/codex',
  version: '0.169.0',
  program: 'codex',
  recipe: 'codex',
  args: ({ prompt }) => [
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    '--json',
    prompt,
  ],
  steps: (file, from, to) => [
    { tool: 'exec_command', input: { cmd: show(file) } },
    { tool: 'exec_command', input: { cmd: `sed -i 's/${from}/${to}/' '${file}'` } },
    { tool: 'exec_command', input: { cmd: show(file) } },
  ],
}

export const OPENCODE: CodingClient = {
  id: 'opencode',
  package: 'opencode-ai',
  // The registry has no later program for ARM on Linux.
  version: '1.18.18',
  program: 'opencode',
  recipe: 'opencode',
  args: ({ prompt }) => ['run', '--auto', prompt],
  variables: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  }),
  steps: (file, from, to) => [
    { tool: 'read', input: { filePath: file } },
    { tool: 'edit', input: { filePath: file, oldString: from, newString: to } },
    { tool: 'bash', input: { command: show(file), description: 'Show the file' } },
  ],
}

export const QWEN_CODE: CodingClient = {
  id: 'qwen-code',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  program: 'qwen',
  args: ({ prompt }) => ['-p', prompt, '--yolo', '--auth-type', 'openai', '--output-format', 'json'],
  variables: ({ address, key, model }) => ({
    OPENAI_BASE_URL: `${address}/v1`,
    OPENAI_API_KEY: key,
    OPENAI_MODEL: model,
    QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
  }),
  steps: (file, from, to) => [
    { tool: 'read_file', input: { file_path: file } },
    { tool: 'edit', input: { file_path: file, old_string: from, new_string: to } },
    { tool: 'run_shell_command', input: { command: show(file), description: 'Show', is_background: false } },
  ],
}

/** Cline 3 has no program for ARM on Linux. Version 2 reads the calls of unknown models from their text. */
export const CLINE: CodingClient = {
  id: 'cline',
  package: 'cline',
  version: '2.18.0',
  program: 'cline',
  args: ({ prompt }) => ['--yolo', '--json', prompt],
  files: ({ address, key, model }) => [
    { path: '~/.cline/data/secrets.json', text: JSON.stringify({ openAiApiKey: key }) },
    {
      path: '~/.cline/data/globalState.json',
      text: JSON.stringify({
        actModeApiProvider: 'openai',
        planModeApiProvider: 'openai',
        actModeOpenAiModelId: model,
        planModeOpenAiModelId: model,
        openAiBaseUrl: `${address}/v1`,
        welcomeViewCompleted: true,
        telemetrySetting: 'disabled',
      }),
    },
  ],
  steps: (file, from, to) => [
    { text: `<read_file>\n<path>${file}</path>\n</read_file>` },
    {
      text: `<replace_in_file>\n<path>${file}</path>\n<diff>\n------- SEARCH\nHello, ${from}.\n=======\nHello, ${to}.\n+++++++ REPLACE\n</diff>\n</replace_in_file>`,
    },
    {
      text: `<execute_command>\n<command>${show(file)}</command>\n<requires_approval>false</requires_approval>\n</execute_command>`,
    },
    { text: '<attempt_completion>\n<result>Done.</result>\n</attempt_completion>' },
  ],
}

export const CODING_CLIENTS = [CLAUDE_CODE, GEMINI_CLI, CODEX, OPENCODE, QWEN_CODE, CLINE]
