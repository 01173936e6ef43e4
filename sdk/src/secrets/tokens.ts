// Printed from analysis/secret-formats/tokens.ts by `npm run print`; do not edit.
// Keys and tokens recognized by their prefix.
import { isRandom, type SecretPattern } from './format.ts'

type Token = readonly [
  id: string,
  title: string,
  prefix: string,
  rest: string,
  more?: {
    readonly bits?: number
    readonly rule?: string | null
    readonly words?: readonly string[]
    /** The prefix also starts ordinary words. */
    readonly isVague?: true
  },
]

export const TOKEN_BITS = 3.2

/** A format recognized by its prefix. Without `words`, the lower-case prefix is the search word. */
export function token([id, title, prefix, rest, more = {}]: Token): SecretPattern {
  const {
    bits = TOKEN_BITS,
    rule = 'SEC-TOKEN',
    words = [prefix.replaceAll('\\', '').toLowerCase()],
    isVague,
  } = more
  const beginning = new RegExp(`^(?:${prefix})`)
  return {
    id,
    title,
    words,
    ...(!isVague && { prefix }),
    pattern: new RegExp(`(?<![\\w-])(?<secret>(?:${prefix})(?:${rest}))(?![\\w-])`, 'g'),
    isReal: (secret) => isRandom(secret.replace(beginning, ''), bits),
    ...(rule !== null && { rule }),
  }
}

export const ALNUM = '[0-9A-Za-z]'

export const PROVIDER_TOKENS: readonly SecretPattern[] = [
  token([
    'africas-talking',
    'Africa’s Talking key',
    'atsk_',
    '[0-9a-f]{60,80}',
    { bits: 3, rule: 'SEC-AFRICASTALKING' },
  ]),
  {
    id: 'aws-key-id',
    title: 'AWS access key',
    rule: 'SEC-AWS',
    prefix: '(?:AKIA|ASIA)(?=[A-Z0-9]{8})',
    pattern: /(?<![A-Z0-9])(?<secret>(?:AKIA|ASIA)[A-Z2-7]{16})(?![A-Z0-9])/g,
    words: ['akia', 'asia'],
    isReal: (secret) => !/EXAMPLE/.test(secret) && isRandom(secret.slice(4), 2.9),
  },
  token(['google-api', 'Google API key', 'AIza', '[\\w-]{35}', { bits: 3.5, rule: 'SEC-GCP' }]),
  token([
    'github',
    'GitHub token',
    'gh[pousr]_|github_pat_',
    `(?<=gh[pousr]_)${ALNUM}{36}|(?<=github_pat_)${ALNUM}{22}_${ALNUM}{59}`,
    {
      bits: 3.5,
      rule: 'SEC-GITHUB',
      words: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    },
  ]),
  token([
    'gitlab',
    'GitLab token',
    'gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent)-',
    '[\\w-]{20,64}',
    {
      words: ['pat-', 'ptt-', 'dt-', 'rt-', 'cbt-', 'soat-', 'ft-', 'imt-', 'agent-'].map(
        (word) => `gl${word}`,
      ),
    },
  ]),
  token(['npm', 'npm token', 'npm_', `${ALNUM}{36}`, { isVague: true }]),
  token(['pypi', 'PyPI token', 'pypi-', 'AgE[\\w-]{50,300}']),
  token(['rubygems', 'RubyGems key', 'rubygems_', '[0-9a-f]{48}', { bits: 3 }]),
  token(['docker', 'Docker Hub token', 'dckr_[po]at_', '[\\w-]{27,64}', { words: ['dckr_'] }]),
  token([
    'slack',
    'Slack token',
    'xox[abeoprs]-',
    '(?:\\d{8,}-|[\\w.]{1,4}-)[0-9A-Za-z-]{20,400}',
    { words: ['xox'] },
  ]),
  token(['slack-app', 'Slack app token', 'xapp-', '\\d-[0-9A-Z]{6,20}-\\d{8,20}-[0-9a-f]{40,80}']),
  token(['sendgrid', 'SendGrid key', 'SG\\.', '[\\w-]{22}\\.[\\w-]{43}']),
  token(['brevo', 'Brevo key', 'xkeysib-', `[0-9a-f]{64}-${ALNUM}{16}`]),
  token(['resend', 'Resend key', 're_', `${ALNUM}{8}_${ALNUM}{24}`, { rule: null, isVague: true }]),
  token(['mailgun', 'Mailgun key', 'key-', '[0-9a-f]{32}', { bits: 3, rule: null, isVague: true }]),
  token(['anthropic', 'Anthropic key', 'sk-ant-', '[\\w-]{40,250}']),
  token(['openai', 'OpenAI key', 'sk-', '[\\w-]{20,200}T3BlbkFJ[\\w-]{20,200}']),
  token(['openai-project', 'OpenAI key', 'sk-(?:proj|svcacct|admin)-', '[\\w-]{40,250}', { words: ['sk-'] }]),
  token(['openrouter', 'OpenRouter key', 'sk-or-v1-', '[0-9a-f]{64}', { bits: 3 }]),
  token(['model-provider', 'model provider key', 'sk-', `${ALNUM}{32,64}`, { bits: 3, rule: null }]),
  token(['groq', 'Groq key', 'gsk_', `${ALNUM}{50,60}`]),
  token(['xai', 'xAI key', 'xai-', `${ALNUM}{70,90}`]),
  token(['perplexity', 'Perplexity key', 'pplx-', `${ALNUM}{40,64}`]),
  token(['replicate', 'Replicate token', 'r8_', `${ALNUM}{37}`, { isVague: true }]),
  token(['hugging-face', 'Hugging Face token', 'hf_', '[A-Za-z]{34}', { isVague: true }]),
  token(['digitalocean', 'DigitalOcean token', 'do[opr]_v1_', '[0-9a-f]{64}', { bits: 3, words: ['_v1_'] }]),
  token(['heroku', 'Heroku key', 'HRKU-', '[\\w-]{36,70}']),
  token(['shopify', 'Shopify token', 'shp(?:at|ca|pa|ss)_', '[0-9a-fA-F]{32}', { bits: 3, words: ['shp'] }]),
  token(['telegram', 'Telegram bot token', '\\d{8,10}:AA', '[\\w-]{33}', { words: [':aa'] }]),
  token([
    'discord',
    'Discord bot token',
    '[MNO][\\w-]{23,27}\\.',
    '[\\w-]{6}\\.[\\w-]{27,38}',
    { rule: null, words: ['.'], isVague: true },
  ]),
  token([
    'cowrie',
    'Cowrie API key',
    'cs[kt]_',
    `${ALNUM}{6,40}_${ALNUM}{32,200}`,
    { words: ['csk_', 'cst_'] },
  ]),
  token(['google-oauth', 'Google OAuth secret', 'GOCSPX-', '[\\w-]{28}']),
  token(['google-access', 'Google access token', 'ya29\\.', '[\\w-]{20,400}', { rule: null }]),
  token([
    'vault',
    'HashiCorp Vault token',
    'hv[sbr]\\.',
    '[\\w-]{24,200}',
    { words: ['hvs.', 'hvb.', 'hvr.'] },
  ]),
  token(['databricks', 'Databricks token', 'dapi', '[0-9a-f]{32}', { bits: 3, isVague: true }]),
  token(['linear', 'Linear key', 'lin_api_', `${ALNUM}{40}`]),
  token(['notion', 'Notion token', 'ntn_', `${ALNUM}{40,60}`, { isVague: true }]),
  token(['atlassian', 'Atlassian token', 'ATATT3', '[\\w=-]{60,250}']),
  token(['new-relic', 'New Relic key', 'NRAK-', '[0-9A-Z]{27}']),
  token(['grafana', 'Grafana token', 'glsa_', `${ALNUM}{32}_[0-9a-fA-F]{8}`]),
  token(['doppler', 'Doppler token', 'dp\\.pt\\.', `${ALNUM}{40,44}`]),
  token(['supabase', 'Supabase key', 'sbp_|sb_secret_', '[\\w-]{30,64}', { words: ['sbp_', 'sb_secret_'] }]),
  token(['netlify', 'Netlify token', 'nfp_', `${ALNUM}{36,60}`]),
  token(['figma', 'Figma token', 'figd_', '[\\w-]{40,64}']),
  token(['tailscale', 'Tailscale key', 'tskey-', '[a-z]{3,10}-[\\w-]{20,80}']),
  token(['postman', 'Postman key', 'PMAK-', '[0-9a-f]{24}-[0-9a-f]{34}', { bits: 3 }]),
  token(['age', 'age private key', 'AGE-SECRET-KEY-1', '[0-9A-Z]{58}']),
  token(['twilio-key', 'Twilio key', 'SK', '[0-9a-f]{32}', { bits: 3, rule: null, isVague: true }]),
]
