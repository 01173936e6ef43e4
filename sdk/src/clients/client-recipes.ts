// How coding clients are configured for this service. One table for `cowrie setup` and for the page "Use your tools".
import type { ClientRecipe } from './client-recipe.ts'

export const CLIENT_RECIPES: readonly ClientRecipe[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    install: { command: 'npm install -g @anthropic-ai/claude-code' },
    wire: 'anthropic',
    files: [
      {
        path: { unix: '~/.claude/settings.json' },
        variables: [{ name: 'CLAUDE_CONFIG_DIR', rest: 'settings.json' }],
        format: 'json',
        snippet: `{
  "env": {
    "ANTHROPIC_BASE_URL": "{baseUrl}",
    "ANTHROPIC_AUTH_TOKEN": "{key}",
    "ANTHROPIC_MODEL": "{model}",
    "ANTHROPIC_DEFAULT_OPUS_MODEL": "{model}",
    "ANTHROPIC_DEFAULT_SONNET_MODEL": "{model}",
    "ANTHROPIC_DEFAULT_HAIKU_MODEL": "{model}",
    "CLAUDE_CODE_MAX_CONTEXT_TOKENS": "{contextTokens}"
  }
}
`,
      },
    ],
    steps: [],
    start: 'claude',
    conflictingVariables: ['ANTHROPIC_API_KEY'],
    notes: ['In Claude Code, /status shows the address in use.'],
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    install: { command: 'npm install -g @google/gemini-cli' },
    wire: 'gemini',
    files: [
      {
        path: { unix: '~/.gemini/.env' },
        variables: [{ name: 'GEMINI_CLI_HOME', rest: '.gemini/.env' }],
        format: 'env',
        snippet: `GOOGLE_GEMINI_BASE_URL={baseUrl}
GEMINI_API_KEY={key}
GEMINI_MODEL={model}
`,
      },
      {
        path: { unix: '~/.gemini/settings.json' },
        variables: [{ name: 'GEMINI_CLI_HOME', rest: '.gemini/settings.json' }],
        format: 'json',
        snippet: `{
  "security": {
    "auth": {
      "selectedType": "gemini-api-key"
    }
  }
}
`,
      },
    ],
    steps: [],
    start: 'gemini',
    needsHttps: true,
    conflictingVariables: [
      'GOOGLE_GEMINI_BASE_URL',
      'GEMINI_API_KEY',
      'GEMINI_MODEL',
      'GOOGLE_GENAI_USE_VERTEXAI',
    ],
    notes: [
      'Gemini CLI reads only the first .env file it finds: a .env in your project hides this one.',
      'It reads this file only in folders that you trust.',
    ],
  },
  {
    id: 'codex',
    title: 'Codex',
    install: { command: 'npm install -g @openai/codex' },
    wire: 'responses',
    files: [
      {
        path: { unix: '~/.codex/config.toml' },
        variables: [{ name: 'CODEX_HOME', rest: 'config.toml' }],
        format: 'toml',
        snippet: `model = "{model}"
model_provider = "cowrie"
model_context_window = {contextTokens}

[model_providers.cowrie]
name = "Cowrie"
base_url = "{baseUrl}/v1"
wire_api = "responses"
experimental_bearer_token = "{key}"
`,
      },
    ],
    steps: [],
    start: 'codex',
    notes: ['Codex does not know the model and may print a warning about it. You can ignore it.'],
  },
  {
    id: 'opencode',
    title: 'opencode',
    install: { command: 'npm install -g opencode-ai' },
    wire: 'chat',
    files: [
      {
        path: { unix: '~/.config/opencode/opencode.json' },
        variables: [{ name: 'XDG_CONFIG_HOME', rest: 'opencode/opencode.json' }],
        otherNames: ['opencode.jsonc'],
        format: 'json',
        defaults: ['$schema'],
        snippet: `{
  "$schema": "https://opencode.ai/config.json",
  "provider": {
    "cowrie": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Cowrie",
      "options": {
        "baseURL": "{baseUrl}/v1",
        "apiKey": "{key}"
      },
      "models": {
        "{model}": {
          "name": "{model}",
          "limit": {
            "context": {contextTokens},
            "output": {outputTokens}
          }
        }
      }
    }
  },
  "model": "cowrie/{model}"
}
`,
      },
    ],
    steps: [],
    start: 'opencode',
    conflictingVariables: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_CONTENT'],
    notes: [],
  },
  {
    id: 'continue',
    title: 'Continue',
    install: { page: 'https://docs.continue.dev' },
    wire: 'chat',
    files: [
      {
        path: { unix: '~/.continue/config.yaml' },
        variables: [{ name: 'CONTINUE_GLOBAL_DIR', rest: 'config.yaml' }],
        format: 'yaml',
        defaults: ['name', 'version', 'schema'],
        snippet: `name: My configuration
version: 1.0.0
schema: v1
models:
  - name: Cowrie {model}
    provider: openai
    model: {model}
    apiBase: {baseUrl}/v1
    apiKey: {key}
    roles: [chat, edit, apply]
`,
      },
    ],
    steps: [],
    start: 'Choose "Cowrie {model}" in the model menu of Continue.',
    notes: ['A config.yaml replaces an older config.json in the same folder.'],
  },
  {
    id: 'cline',
    title: 'Cline',
    install: { command: 'npm install -g cline' },
    wire: 'chat',
    files: [
      {
        path: { unix: '~/.cline/data/settings/providers.json' },
        variables: [
          { name: 'CLINE_PROVIDER_SETTINGS_PATH', rest: '' },
          { name: 'CLINE_DATA_DIR', rest: 'settings/providers.json' },
          { name: 'CLINE_DIR', rest: 'data/settings/providers.json' },
        ],
        format: 'json',
        defaults: ['version', 'modes'],
        snippet: `{
  "version": 1,
  "modes": {},
  "lastUsedProvider": "openai-compatible",
  "providers": {
    "openai-compatible": {
      "settings": {
        "provider": "openai-compatible",
        "apiKey": "{key}",
        "baseUrl": "{baseUrl}/v1",
        "model": "{model}"
      },
      "updatedAt": "{time}",
      "tokenSource": "manual"
    }
  }
}
`,
      },
    ],
    steps: [],
    start: 'cline',
    notes: [
      'For an older Cline extension in VS Code: Settings, API Provider "OpenAI Compatible", Base URL {baseUrl}/v1, this key, and Model ID {model}.',
    ],
  },
  {
    id: 'aider',
    title: 'aider',
    install: { command: 'python -m pip install aider-install && aider-install' },
    wire: 'chat',
    files: [
      {
        path: { unix: '~/.aider.conf.yml' },
        variables: [],
        format: 'yaml',
        snippet: `openai-api-base: {baseUrl}/v1
openai-api-key: {key}
model: openai/{model}
show-model-warnings: false
`,
      },
    ],
    steps: [],
    start: 'aider',
    conflictingVariables: ['AIDER_MODEL', 'AIDER_OPENAI_API_BASE', 'AIDER_OPENAI_API_KEY'],
    notes: ['A .aider.conf.yml in a repository overrides this file.'],
  },
  {
    id: 'cursor',
    title: 'Cursor',
    install: { page: 'https://cursor.com' },
    wire: 'chat',
    files: [],
    steps: [
      'Open Cursor Settings, then Models, then API Keys.',
      'Turn on "OpenAI API Key" and paste {key}',
      'Turn on "Override OpenAI Base URL" and enter {baseUrl}/v1',
      'Choose "Add model", enter {model}, and turn it on.',
      'Press "Verify", then choose {model} in the chat.',
    ],
    start: 'Choose {model} in the chat of Cursor.',
    needsHttps: true,
    notes: [
      'Cursor keeps these settings in its own storage, so no file can be written for it.',
      'Cursor calls the address from its own servers: it must be public, with HTTPS.',
      'Custom models need a paid Cursor plan. Tab completion always uses the models of Cursor.',
    ],
  },
  {
    id: 'zed',
    title: 'Zed',
    install: { page: 'https://zed.dev' },
    wire: 'chat',
    files: [
      {
        path: { unix: '~/.config/zed/settings.json', windows: '%APPDATA%/Zed/settings.json' },
        variables: [{ name: 'XDG_CONFIG_HOME', rest: 'zed/settings.json', system: 'linux' }],
        format: 'json',
        snippet: `{
  "language_models": {
    "openai_compatible": {
      "Cowrie AI": {
        "api_url": "{baseUrl}/v1",
        "available_models": [
          {
            "name": "{model}",
            "display_name": "Cowrie {model}",
            "max_tokens": {contextTokens},
            "max_output_tokens": {outputTokens},
            "capabilities": {
              "tools": true,
              "images": {images},
              "parallel_tool_calls": true,
              "prompt_cache_key": false
            }
          }
        ]
      }
    }
  }
}
`,
      },
    ],
    steps: [
      'In Zed, run the action "agent: open settings".',
      'Below LLM Providers, open "Cowrie AI", paste {key} and press Enter.',
    ],
    start: 'Choose "Cowrie {model}" in the agent panel of Zed.',
    conflictingVariables: ['COWRIE_AI_API_KEY'],
    notes: ['Zed keeps keys in the keychain of the system and reads none from its settings.'],
  },
  {
    id: 'vscode',
    title: 'VS Code',
    install: { page: 'https://code.visualstudio.com' },
    wire: 'chat',
    files: [
      {
        path: {
          unix: '~/.config/Code/User/chatLanguageModels.json',
          mac: '~/Library/Application Support/Code/User/chatLanguageModels.json',
          windows: '%APPDATA%/Code/User/chatLanguageModels.json',
        },
        variables: [{ name: 'XDG_CONFIG_HOME', rest: 'Code/User/chatLanguageModels.json', system: 'linux' }],
        format: 'json',
        snippet: `[
  {
    "name": "Cowrie",
    "vendor": "customendpoint",
    "apiKey": "{key}",
    "apiType": "chat-completions",
    "models": [
      {
        "id": "{model}",
        "name": "Cowrie {model}",
        "url": "{baseUrl}/v1/chat/completions",
        "toolCalling": true,
        "vision": {images},
        "maxInputTokens": {inputTokens},
        "maxOutputTokens": {outputTokens}
      }
    ]
  }
]
`,
      },
    ],
    steps: [],
    start: 'Choose "Cowrie {model}" in the model menu of the chat. Restart VS Code if it is missing.',
    notes: [
      'This needs VS Code 1.122 or newer. A Copilot Business or Enterprise administrator can forbid it.',
      'Inline suggestions keep using the models of GitHub Copilot.',
    ],
  },
]
