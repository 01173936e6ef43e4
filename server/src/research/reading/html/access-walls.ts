// Detects pages that replace the requested one: paywalls, consent pages and bot checks. Only short pages count,
// because long ones may discuss such things.

export type AccessWall = 'paywall' | 'unreadable'

const TEASER_MAX = 1_500
const BOT_CHECK_MAX = 800

export function detectWall(text: string, title: string, isForSubscribers: boolean): AccessWall | null {
  if (text.length > TEASER_MAX) return null
  const normalized = `${title}\n${text}`.toLowerCase().replaceAll(/[’ʼ]/g, "'").replaceAll(/\s+/g, ' ')
  if (text.length <= BOT_CHECK_MAX && BOT_CHECK_PHRASES.some((phrase) => normalized.includes(phrase)))
    return 'unreadable'
  return isForSubscribers || PAYWALL_PHRASES.some((phrase) => normalized.includes(phrase)) ? 'paywall' : null
}

const BOT_CHECK_PHRASES = [
  ...['enable javascript', 'javascript is disabled', 'javascript is required', 'requires javascript'],
  ...[
    'turn on javascript',
    'activer javascript',
    'activez javascript',
    'ative o javascript',
    'habilite o javascript',
  ],
  ...['verify you are human', 'verifying you are human', "verify that you're not a robot", 'are you a robot'],
  ...[
    'checking your browser',
    'checking if the site connection is secure',
    'complete the captcha',
    'solve the captcha',
  ],
  ...[
    'unusual traffic from your',
    'ddos protection by',
    'pardon our interruption',
    'attention required! | cloudflare',
  ],
  ...['performing security verification', 'before you continue to google', 'before you continue to youtube'],
  ...['access to this page has been denied', 'your access to this site has been limited'],
]

const PAYWALL_PHRASES = [
  ...['subscribe to continue', 'subscribe to read', 'subscribe to keep reading', 'subscribe now to read'],
  ...['to continue reading', 'to keep reading', 'continue reading with a subscription', 'subscribers only'],
  ...['subscriber-only', 'only available to subscribers', 'exclusive to subscribers', 'for subscribers only'],
  ...['this article is for subscribers', 'this content is for members', 'this post is for paid subscribers'],
  ...[
    'become a member to read',
    'sign in to read the full',
    'log in to read the full',
    'unlock this article',
  ],
  ...['you have reached your article limit', 'you have read your last free article', 'your free articles'],
  ...['réservé aux abonnés', 'réservée aux abonnés', 'abonnez-vous pour lire', 'il vous reste'],
  ...['exclusivo para assinantes', 'conteúdo exclusivo para', 'assine para continuar', 'assine para ler'],
  ...['للمشتركين فقط', 'اشترك لمواصلة القراءة', 'jisajili ili kuendelea kusoma'],
]
