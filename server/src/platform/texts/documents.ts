// Receipts, invoices and credit notes. Names, addresses and texts of users stay as they were issued.
import type { Sentences } from './sentences.ts'

/** The labels and remarks of a document. */
export const DOCUMENTS = {
  Receipt: ['Reçu', 'Risiti', 'إيصال'],
  Invoice: ['Facture', 'Ankara', 'فاتورة'],
  'Credit note': ['Avoir', 'Hati ya mkopo', 'إشعار دائن'],
  PAID: ['PAYÉ', 'IMELIPWA', 'مدفوع'],
  OPEN: ['À PAYER', 'HAIJALIPWA', 'غير مدفوع'],
  VOID: ['ANNULÉ', 'IMEBATILISHWA', 'ملغى'],
  'TEST MONEY': ['ARGENT FICTIF', 'PESA ZA MAJARIBIO', 'أموال تجريبية'],
  From: ['Vendeur', 'Muuzaji', 'البائع'],
  To: ['Acheteur', 'Mnunuzi', 'المشتري'],
  'Tax ID': ['N° fiscal', 'Namba ya mlipakodi', 'الرقم الضريبي'],
  Issued: ['Émis le', 'Imetolewa', 'تاريخ الإصدار'],
  Paid: ['Payé le', 'Imelipwa', 'تاريخ الدفع'],
  Voided: ['Annulé le', 'Imebatilishwa', 'تاريخ الإلغاء'],
  Method: ['Moyen de paiement', 'Njia ya malipo', 'طريقة الدفع'],
  Reference: ['Référence', 'Kumbukumbu', 'المرجع'],
  Reason: ['Motif', 'Sababu', 'السبب'],
  For: ['Pour', 'Kwa', 'عن'],
  Description: ['Description', 'Maelezo', 'الوصف'],
  Qty: ['Qté', 'Idadi', 'الكمية'],
  Amount: ['Montant', 'Kiasi', 'المبلغ'],
  'Automatic wallet top-up': [
    'Recharge automatique du portefeuille',
    'Nyongeza ya kiotomatiki ya salio la pochi',
    'شحن تلقائي للمحفظة',
  ],
  'Credit for invoice {number}': [
    'Avoir sur la facture {number}',
    'Marejesho ya ankara {number}',
    'رصيد عن الفاتورة {number}',
  ],
  'Registered with {authority}': [
    'Enregistré auprès de {authority}',
    'Imesajiliwa na {authority}',
    'مسجَّل لدى {authority}',
  ],
  'Being registered with {authority}.': [
    'Enregistrement en cours auprès de {authority}.',
    'Inasajiliwa na {authority}.',
    'جارٍ التسجيل لدى {authority}.',
  ],
  'Credit note {number}': ['Avoir {number}', 'Hati ya mkopo {number}', 'إشعار دائن {number}'],
  'Subtotal without tax': ['Sous-total hors taxes', 'Jumla ndogo bila kodi', 'المجموع قبل الضريبة'],
  Total: ['Total', 'Jumla', 'الإجمالي'],
  'Total paid': ['Total payé', 'Jumla iliyolipwa', 'إجمالي المدفوع'],
  'Total credited': ['Total de l’avoir', 'Jumla iliyorejeshwa', 'إجمالي الرصيد الدائن'],
  'Remaining after credit': [
    'Reste après avoir',
    'Kilichobaki baada ya marejesho',
    'المتبقي بعد الإشعار الدائن',
  ],
  'Total of all credit notes: {amount}.': [
    'Total de tous les avoirs : {amount}.',
    'Jumla ya hati zote za mkopo: {amount}.',
    'إجمالي كل الإشعارات الدائنة: {amount}.',
  ],
  'Prices include tax.': [
    'Les prix comprennent les taxes.',
    'Bei zinajumuisha kodi.',
    'الأسعار شاملة الضريبة.',
  ],
  'No tax is included.': ['Aucune taxe incluse.', 'Hakuna kodi iliyojumuishwa.', 'لا توجد ضريبة.'],
  'Paid from the wallet: the tax was charged with the top-up.': [
    'Payé depuis le portefeuille : la taxe a été perçue lors de la recharge.',
    'Imelipwa kutoka pochi: kodi ilitozwa wakati wa kuongeza salio.',
    'دُفع من المحفظة: حُصِّلت الضريبة عند الشحن.',
  ],
  'Purchases from the wallet are not taxed again.': [
    'Les achats depuis le portefeuille ne sont pas taxés une seconde fois.',
    'Manunuzi kutoka pochi hayatozwi kodi tena.',
    'لا تُفرض الضريبة مرة أخرى على المشتريات من المحفظة.',
  ],
  'This is test money: nothing was charged, and this document is not valid for tax purposes.': [
    'Argent fictif : rien n’a été débité, et ce document n’a aucune valeur fiscale.',
    'Hizi ni pesa za majaribio: hakuna kilichotozwa, na hati hii si halali kwa kodi.',
    'هذه أموال تجريبية: لم يُخصم شيء، ولا تصلح هذه الوثيقة لأغراض ضريبية.',
  ],
  Download: ['Télécharger', 'Pakua', 'تنزيل'],
} as const satisfies Sentences

/** Lines, methods and reasons. They are stored in English and translated when the document is shown. */
export const DOCUMENT_LINES: Sentences = {
  Card: ['Carte', 'Kadi', 'بطاقة'],
  '{brand} ending in {lastNumber}': [
    '{brand} se terminant par {lastNumber}',
    '{brand} inayoishia na {lastNumber}',
    '{brand} المنتهية بـ {lastNumber}',
  ],
  'Bank USSD': ['USSD bancaire', 'USSD ya benki', 'رمز USSD للبنك'],
  VAT: ['TVA', 'VAT', 'ضريبة القيمة المضافة'],
  Wallet: ['Portefeuille', 'Pochi', 'المحفظة'],
  'Wallet top-up': ['Recharge du portefeuille', 'Nyongeza ya salio la pochi', 'شحن المحفظة'],
  'Added to your wallet': ['Ajouté à votre portefeuille', 'Imeongezwa kwenye pochi yako', 'أُضيف إلى محفظتك'],
  'Card check, added to your wallet': [
    'Vérification de la carte, ajoutée à votre portefeuille',
    'Uhakiki wa kadi, umeongezwa kwenye pochi yako',
    'التحقق من البطاقة، أُضيف إلى محفظتك',
  ],
  '{plan} by the month, {start} to {end}': [
    '{plan} au mois, du {start} au {end}',
    '{plan} kwa mwezi, {start} hadi {end}',
    '{plan} شهريًا، من {start} إلى {end}',
  ],
  '{plan} by the year, {start} to {end}': [
    '{plan} à l’année, du {start} au {end}',
    '{plan} kwa mwaka, {start} hadi {end}',
    '{plan} سنويًا، من {start} إلى {end}',
  ],
  'Seats beyond the {count} of {plan}, until {end}': [
    'Places au-delà des {count} de {plan}, jusqu’au {end}',
    'Nafasi zaidi ya {count} za {plan}, hadi {end}',
    'مقاعد فوق {count} المشمولة في {plan}، حتى {end}',
  ],
  'Unused time on {plan}': [
    'Temps non utilisé de {plan}',
    'Muda ambao haukutumika wa {plan}',
    'المدة غير المستخدمة من {plan}',
  ],
  'Unused time on {plan} and {count} more seat': [
    'Temps non utilisé de {plan} et de {count} place en plus',
    'Muda ambao haukutumika wa {plan} na nafasi {count} ya ziada',
    'المدة غير المستخدمة من {plan} ومقعد إضافي ({count})',
  ],
  'Unused time on {plan} and {count} more seats': [
    'Temps non utilisé de {plan} et de {count} places en plus',
    'Muda ambao haukutumika wa {plan} na nafasi {count} za ziada',
    'المدة غير المستخدمة من {plan} ومقاعد إضافية ({count})',
  ],
  'Below the minimum card charge': [
    'Inférieur au débit minimal par carte',
    'Chini ya kiwango cha chini cha kutoza kadi',
    'أقل من الحد الأدنى للخصم من البطاقة',
  ],
  'The payment provider reversed the payment.': [
    'Le prestataire de paiement a annulé le paiement.',
    'Mtoa huduma wa malipo amebatilisha malipo.',
    'ألغى مزوّد الدفع الدفعة.',
  ],
  'The provider returned the money to the payer.': [
    'Le prestataire a rendu l’argent au payeur.',
    'Mtoa huduma amemrudishia mlipaji pesa.',
    'أعاد المزوّد المال إلى الدافع.',
  ],
  'Fawry paid it back.': ['Fawry l’a remboursé.', 'Fawry imeirejesha.', 'ردّته Fawry.'],
  'Another payment or change came first.': [
    'Un autre paiement ou changement est arrivé avant.',
    'Malipo au badiliko jingine lilitangulia.',
    'سبقته دفعة أخرى أو تغيير آخر.',
  ],
  'Its payment was reversed, and the wallet does not cover it.': [
    'Son paiement a été annulé, et le portefeuille ne le couvre pas.',
    'Malipo yake yamebatilishwa, na pochi haitoshi kuyafidia.',
    'أُلغيت دفعته، ولا تكفي المحفظة لتغطيته.',
  ],
  'A top-up that paid for it was reversed, and the wallet does not cover it.': [
    'Une recharge qui l’avait payé a été annulée, et le portefeuille ne le couvre pas.',
    'Nyongeza iliyolipia imebatilishwa, na pochi haitoshi kuifidia.',
    'أُلغيت عملية شحن كانت قد دفعته، ولا تكفي المحفظة لتغطيته.',
  ],
  'It was replaced by another attempt.': [
    'Il a été remplacé par un autre essai.',
    'Limebadilishwa na jaribio jingine.',
    'حلّت محله محاولة أخرى.',
  ],
  'Its renewal was not paid.': [
    'Son renouvellement n’a pas été payé.',
    'Uhuishaji wake haukulipwa.',
    'لم يُدفع تجديدها.',
  ],
  'The bill was abandoned before it was paid.': [
    'La facture a été abandonnée avant d’être payée.',
    'Bili iliachwa kabla ya kulipwa.',
    'تُركت الفاتورة قبل دفعها.',
  ],
}
