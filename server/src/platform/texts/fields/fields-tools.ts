// Problems of the tools that a client brings to a task, of the sources of research, and of connected repositories. Each continues a
// sentence about the field.
import type { Sentences } from '../sentences.ts'

export const TOOL_FIELDS: Sentences = {
  'must have 2 or 4 numbers': [
    'doit avoir 2 ou 4 nombres',
    'lazima iwe na namba 2 au 4',
    'يجب أن تحتوي على رقمين أو 4 أرقام',
  ],
  'must be "object": the arguments of a tool are an object': [
    'doit être « object » : les arguments d’un outil sont un objet',
    'lazima iwe "object": hoja za zana ni kitu kimoja cha JSON',
    'يجب أن تكون "object": وسائط الأداة كائن',
  ],
  'must not stand at the top: some providers refuse it': [
    'ne doit pas figurer au premier niveau : certains fournisseurs le refusent',
    'haipaswi kuwa katika ngazi ya juu: baadhi ya watoa huduma huikataa',
    'يجب ألا تكون في المستوى الأعلى: بعض المزودين يرفضون ذلك',
  ],
  'must be a schema, which is an object': [
    'doit être un schéma, c’est-à-dire un objet',
    'lazima iwe skima, yaani kitu cha JSON',
    'يجب أن تكون مخططًا، أي كائنًا',
  ],
  'is not supported; write the schema out in its place': [
    'n’est pas pris en charge ; écrivez le schéma à cet endroit',
    'haikubaliwi; andika skima yenyewe mahali hapo',
    'غير مدعومة؛ اكتب المخطط كاملًا في مكانها',
  ],
  'must be a list with at least one schema': [
    'doit être une liste d’au moins un schéma',
    'lazima iwe orodha yenye angalau skima moja',
    'يجب أن تكون قائمة فيها مخطط واحد على الأقل',
  ],
  'must be a letter, then letters, digits and "_": lower case, at most 63 characters': [
    'doit être une lettre, puis des lettres, des chiffres et « _ » : en minuscules, 63 caractères au plus',
    'lazima iwe herufi, kisha herufi, tarakimu na "_": herufi ndogo, herufi 63 au chini',
    'يجب أن تبدأ بحرف، ثم حروف وأرقام و"_": أحرف صغيرة، 63 حرفًا على الأكثر',
  ],
  'must not be a tool of the service: {names}': [
    'ne doit pas être un outil du service : {names}',
    'haipaswi kuwa zana ya huduma: {names}',
    'يجب ألا تكون أداة من أدوات الخدمة: {names}',
  ],
  'is there twice; send each tool once': [
    'y figure deux fois ; envoyez chaque outil une fois',
    'ipo mara mbili; tuma kila zana mara moja',
    'موجودة مرتين؛ أرسل كل أداة مرة واحدة',
  ],
  'must have at most {number} bytes together': [
    'doivent avoir au plus {number} octets ensemble',
    'lazima ziwe na baiti {number} au chini kwa pamoja',
    'يجب ألا تتجاوز معًا {number} بايت',
  ],
  'is a {kind} file, not a text, HTML, PDF or DOCX document': [
    'est un fichier {kind}, pas un document texte, HTML, PDF ou DOCX',
    'ni faili la {kind}, si hati ya maandishi, HTML, PDF au DOCX',
    'ملف {kind} وليس مستند نص أو HTML أو PDF أو DOCX',
  ],
  'must have at most {number} documents at this depth': [
    'doit avoir au plus {number} documents à cette profondeur',
    'lazima iwe na hati {number} au chini kwa kina hiki',
    'يجب ألا تتجاوز {number} مستند عند هذا العمق',
  ],
  'must have at most {number} items at this depth': [
    'doit avoir au plus {number} éléments à cette profondeur',
    'lazima iwe na vipengee {number} au chini kwa kina hiki',
    'يجب ألا تتجاوز {number} عنصر عند هذا العمق',
  ],
  'must have at most {number} characters beside this question': [
    'doit avoir au plus {number} caractères avec cette question',
    'lazima iwe na herufi {number} au chini pamoja na swali hili',
    'يجب ألا تتجاوز {number} حرفًا مع هذا السؤال',
  ],
  'is not an indexed repository': [
    'n’est pas un dépôt indexé',
    'si hazina iliyowekwa kwenye faharasa',
    'ليست مستودعًا مفهرسًا',
  ],
  'must be true without documents and repositories': [
    'doit être true sans documents ni dépôts',
    'lazima iwe true bila hati na hazina',
    'يجب أن تكون true عند عدم وجود مستندات ومستودعات',
  ],
  'must be the path of the repository, such as group/project': [
    'doit être le chemin du dépôt, par exemple group/project',
    'lazima iwe njia ya hazina, kwa mfano group/project',
    'يجب أن تكون مسار المستودع، مثل group/project',
  ],
  'must not contain dots alone': [
    'ne doit pas contenir de partie faite seulement de points',
    'haipaswi kuwa na sehemu yenye nukta peke yake',
    'يجب ألا تحتوي على جزء مكوّن من نقاط فقط',
  ],
  'must be a token': ['doit être un jeton', 'lazima iwe tokeni', 'يجب أن تكون رمزًا مميزًا'],
}
