// The texts of printable documents in four languages. Names, addresses and free text stay as they were issued.

export const DOCUMENT_LANGUAGES = ['en', 'fr', 'sw', 'ar'] as const
export type DocumentLanguage = (typeof DOCUMENT_LANGUAGES)[number]

/** The first supported language of an `accept-language` header. */
export function acceptedLanguage(header: string | string[] | undefined): DocumentLanguage {
  const tags = String(header ?? '')
    .slice(0, 200)
    .split(',')
    .map((tag) => tag.trim().slice(0, 2).toLowerCase())
  return DOCUMENT_LANGUAGES.find((language) => language === tags.find(isKnown)) ?? 'en'
}

const isKnown = (tag: string): boolean => DOCUMENT_LANGUAGES.some((language) => language === tag)

/** Latin digits everywhere, as in the app. */
export const LOCALES: Readonly<Record<DocumentLanguage, string>> = {
  en: 'en-GB',
  fr: 'fr-FR',
  sw: 'sw-KE',
  ar: 'ar-EG-u-nu-latn',
}

export type Translate = (text: string) => string

/** An unknown text stays as it is. */
export const translator =
  (language: DocumentLanguage): Translate =>
  (text) =>
    language === 'en' ? text : (TEXTS[text]?.[language] ?? text)

type Translations = Readonly<Record<Exclude<DocumentLanguage, 'en'>, string>>

const TEXTS: Readonly<Record<string, Translations>> = {
  Receipt: { fr: 'Reçu', sw: 'Risiti', ar: 'إيصال' },
  Invoice: { fr: 'Facture', sw: 'Ankara', ar: 'فاتورة' },
  'Credit note': { fr: 'Avoir', sw: 'Hati ya mkopo', ar: 'إشعار دائن' },
  PAID: { fr: 'PAYÉ', sw: 'IMELIPWA', ar: 'مدفوع' },
  OPEN: { fr: 'À PAYER', sw: 'HAIJALIPWA', ar: 'غير مدفوع' },
  VOID: { fr: 'ANNULÉ', sw: 'IMEBATILISHWA', ar: 'ملغى' },
  'TEST MONEY': { fr: 'ARGENT FICTIF', sw: 'PESA ZA MAJARIBIO', ar: 'أموال تجريبية' },
  From: { fr: 'Vendeur', sw: 'Muuzaji', ar: 'البائع' },
  To: { fr: 'Acheteur', sw: 'Mnunuzi', ar: 'المشتري' },
  'Tax ID': { fr: 'N° fiscal', sw: 'Namba ya mlipakodi', ar: 'الرقم الضريبي' },
  Issued: { fr: 'Émis le', sw: 'Imetolewa', ar: 'تاريخ الإصدار' },
  Paid: { fr: 'Payé le', sw: 'Imelipwa', ar: 'تاريخ الدفع' },
  Voided: { fr: 'Annulé le', sw: 'Imebatilishwa', ar: 'تاريخ الإلغاء' },
  Method: { fr: 'Moyen de paiement', sw: 'Njia ya malipo', ar: 'طريقة الدفع' },
  Reference: { fr: 'Référence', sw: 'Kumbukumbu', ar: 'المرجع' },
  Reason: { fr: 'Motif', sw: 'Sababu', ar: 'السبب' },
  For: { fr: 'Pour', sw: 'Kwa', ar: 'عن' },
  Card: { fr: 'Carte', sw: 'Kadi', ar: 'بطاقة' },
  Wallet: { fr: 'Portefeuille', sw: 'Pochi', ar: 'المحفظة' },
  Description: { fr: 'Description', sw: 'Maelezo', ar: 'الوصف' },
  Qty: { fr: 'Qté', sw: 'Idadi', ar: 'الكمية' },
  Amount: { fr: 'Montant', sw: 'Kiasi', ar: 'المبلغ' },
  'Wallet top-up': { fr: 'Recharge du portefeuille', sw: 'Nyongeza ya salio la pochi', ar: 'شحن المحفظة' },
  'Added to your wallet': {
    fr: 'Ajouté à votre portefeuille',
    sw: 'Imeongezwa kwenye pochi yako',
    ar: 'أُضيف إلى محفظتك',
  },
  'Credit for invoice {number}': {
    fr: 'Avoir sur la facture {number}',
    sw: 'Marejesho ya ankara {number}',
    ar: 'رصيد عن الفاتورة {number}',
  },
  'Credit note {number}': { fr: 'Avoir {number}', sw: 'Hati ya mkopo {number}', ar: 'إشعار دائن {number}' },
  VAT: { fr: 'TVA', sw: 'VAT', ar: 'ضريبة القيمة المضافة' },
  'Subtotal without tax': {
    fr: 'Sous-total hors taxes',
    sw: 'Jumla ndogo bila kodi',
    ar: 'المجموع قبل الضريبة',
  },
  Total: { fr: 'Total', sw: 'Jumla', ar: 'الإجمالي' },
  'Total paid': { fr: 'Total payé', sw: 'Jumla iliyolipwa', ar: 'إجمالي المدفوع' },
  'Total credited': { fr: 'Total de l’avoir', sw: 'Jumla iliyorejeshwa', ar: 'إجمالي الرصيد الدائن' },
  'Remaining after credit': {
    fr: 'Reste après avoir',
    sw: 'Kilichobaki baada ya marejesho',
    ar: 'المتبقي بعد الإشعار الدائن',
  },
  'Total of all credit notes: {amount}.': {
    fr: 'Total de tous les avoirs : {amount}.',
    sw: 'Jumla ya hati zote za mkopo: {amount}.',
    ar: 'إجمالي كل الإشعارات الدائنة: {amount}.',
  },
  'Prices include tax.': {
    fr: 'Les prix comprennent les taxes.',
    sw: 'Bei zinajumuisha kodi.',
    ar: 'الأسعار شاملة الضريبة.',
  },
  'No tax is included.': {
    fr: 'Aucune taxe incluse.',
    sw: 'Hakuna kodi iliyojumuishwa.',
    ar: 'لا توجد ضريبة.',
  },
  'Paid from the wallet: the tax was charged with the top-up.': {
    fr: 'Payé depuis le portefeuille : la taxe a été perçue lors de la recharge.',
    sw: 'Imelipwa kutoka pochi: kodi ilitozwa wakati wa kuongeza salio.',
    ar: 'دُفع من المحفظة: حُصِّلت الضريبة عند الشحن.',
  },
  'Purchases from the wallet are not taxed again.': {
    fr: 'Les achats depuis le portefeuille ne sont pas taxés une seconde fois.',
    sw: 'Manunuzi kutoka pochi hayatozwi kodi tena.',
    ar: 'لا تُفرض الضريبة مرة أخرى على المشتريات من المحفظة.',
  },
  'This is test money: nothing was charged, and this document is not valid for tax purposes.': {
    fr: 'Argent fictif : rien n’a été débité, et ce document n’a aucune valeur fiscale.',
    sw: 'Hizi ni pesa za majaribio: hakuna kilichotozwa, na hati hii si halali kwa kodi.',
    ar: 'هذه أموال تجريبية: لم يُخصم شيء، ولا تصلح هذه الوثيقة لأغراض ضريبية.',
  },
  Download: { fr: 'Télécharger', sw: 'Pakua', ar: 'تنزيل' },
}
