// The areas of the API by job, with their titles. An area is a tag of the document.
import type { Language } from '../../../texts/language.ts'
import type { Texts } from './texts.ts'

type Titles = Readonly<Record<Language, string>>
type Group = { readonly name: keyof Texts; readonly areas: Readonly<Record<string, Titles>> }

const titles = (en: string, fr: string, sw: string, ar: string): Titles => ({ en, fr, sw, ar })

export const GROUPS: readonly Group[] = [
  {
    name: 'build',
    areas: {
      tasks: titles('Tasks', 'Tâches', 'Kazi', 'المهام'),
      agent: titles('Agent runs', 'Exécutions de l’agent', 'Uendeshaji wa wakala', 'تشغيلات الوكيل'),
      chat: titles('Chat', 'Discussion', 'Mazungumzo', 'المحادثة'),
      gateway: titles(
        'OpenAI, Anthropic and Gemini APIs',
        'API OpenAI, Anthropic et Gemini',
        'API za OpenAI, Anthropic na Gemini',
        'واجهات OpenAI وAnthropic وGemini',
      ),
      'repo-index': titles('Code index', 'Index du code', 'Faharasa ya msimbo', 'فهرس الشيفرة'),
      review: titles('Reviews', 'Revues', 'Mapitio', 'المراجعات'),
      scan: titles('Review rules', 'Règles de revue', 'Kanuni za mapitio', 'قواعد المراجعة'),
      research: titles('Research', 'Recherche', 'Utafiti', 'البحث'),
      projects: titles('Projects and files', 'Projets et fichiers', 'Miradi na faili', 'المشاريع والملفات'),
      mcp: titles('MCP server', 'Serveur MCP', 'Seva ya MCP', 'خادم MCP'),
    },
  },
  {
    name: 'pay',
    areas: {
      wallet: titles('Wallet and ledger', 'Portefeuille et registre', 'Pochi na leja', 'المحفظة والدفتر'),
      payments: titles('Top-ups', 'Recharges', 'Kuongeza salio', 'شحن الرصيد'),
      metering: titles('Usage', 'Consommation', 'Matumizi', 'الاستخدام'),
      invoices: titles('Invoices', 'Factures', 'Ankara', 'الفواتير'),
      billing: titles('Plans and cards', 'Forfaits et cartes', 'Mipango na kadi', 'الخطط والبطاقات'),
    },
  },
  {
    name: 'account',
    areas: {
      identity: titles(
        'Sessions and API keys',
        'Sessions et clés API',
        'Vipindi na funguo za API',
        'الجلسات ومفاتيح API',
      ),
      account: titles('Profile', 'Profil', 'Wasifu', 'الملف الشخصي'),
      'sign-in': titles('Sign-in', 'Connexion', 'Kuingia', 'تسجيل الدخول'),
      sso: titles('Single sign-on', 'Authentification unique', 'Kuingia mara moja', 'الدخول الموحد'),
      scim: titles(
        'User provisioning (SCIM)',
        'Provisionnement des utilisateurs (SCIM)',
        'Utoaji wa watumiaji (SCIM)',
        'تزويد المستخدمين (SCIM)',
      ),
      teams: titles('Teams', 'Équipes', 'Timu', 'الفرق'),
      governance: titles(
        'Policy and export',
        'Politique et export',
        'Sera na uhamishaji',
        'السياسة والتصدير',
      ),
      flags: titles('Feature flags', 'Fonctions activées', 'Vipengele', 'الميزات'),
      kyc: titles('Verification', 'Vérification', 'Uthibitisho', 'التحقق'),
      audit: titles('Audit log', 'Journal d’audit', 'Kumbukumbu ya ukaguzi', 'سجل التدقيق'),
    },
  },
  {
    name: 'operate',
    areas: {
      hooks: titles('Webhooks', 'Webhooks', 'Webhooks', 'خطافات الويب'),
      metrics: titles('Metrics', 'Métriques', 'Vipimo', 'المقاييس'),
      system: titles('Health and version', 'État et version', 'Afya na toleo', 'الحالة والإصدار'),
    },
  },
  {
    name: 'more',
    areas: {
      models: titles('Models', 'Modèles', 'Modeli', 'النماذج'),
      operators: titles('Back office', 'Back-office', 'Ofisi ya nyuma', 'المكتب الخلفي'),
    },
  },
]

const TITLES: Readonly<Record<string, Titles>> = Object.assign({}, ...GROUPS.map(({ areas }) => areas))

/** A tag that has no title yet is shown by its name. */
export function areaTitle(tag: string, language: Language): string {
  const named = tag.replaceAll('-', ' ')
  return TITLES[tag]?.[language] ?? named.charAt(0).toUpperCase() + named.slice(1)
}

/** The tags by group, in the order of the groups. Unknown tags come last. */
export function groupAreas(tags: readonly string[]): { name: keyof Texts; tags: string[] }[] {
  const unknown = tags.filter((tag) => !Object.hasOwn(TITLES, tag))
  return GROUPS.map(({ name, areas }) => ({
    name,
    tags: [...Object.keys(areas).filter((tag) => tags.includes(tag)), ...(name === 'more' ? unknown : [])],
  })).filter((group) => group.tags.length > 0)
}
