// Problems of the tools that a client brings to a task, and of their results. Each continues a sentence about the field.
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
}
