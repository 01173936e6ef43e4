// Problems of the rules that organisations write.
import type { Sentences } from '../sentences.ts'

export const RULE_FIELDS: Sentences = {
  'id: must be {id}, as in the address': [
    'id : doit être {id}, comme dans l’adresse',
    'id: lazima iwe {id}, kama ilivyo kwenye anwani',
    'id: يجب أن يكون {id} كما في العنوان',
  ],
  'Your organisation has {count} rules. Remove one first.': [
    'Votre organisation a {count} règles. Retirez-en d’abord une.',
    'Shirika lako lina kanuni {count}. Ondoa moja kwanza.',
    'لدى مؤسستك {count} قاعدة. أزل واحدة أولًا.',
  ],
  'must be a name such as acme.pay, *.query, Client#send or acme.log*': [
    'doit être un nom comme acme.pay, *.query, Client#send ou acme.log*',
    'lazima iwe jina kama acme.pay, *.query, Client#send au acme.log*',
    'يجب أن يكون اسمًا مثل acme.pay أو *.query أو Client#send أو acme.log*',
  ],
  'must have at least {count} characters besides *': [
    'doit avoir au moins {count} caractères en plus de *',
    'lazima iwe na angalau herufi {count} mbali na *',
    'يجب أن يحتوي على {count} محارف على الأقل غير *',
  ],
  'must have either argument or option': [
    'doit avoir soit argument, soit option',
    'lazima iwe na argument au option',
    'يجب أن يحتوي إما على argument أو على option',
  ],
  'must have is, like or missing': [
    'doit avoir is, like ou missing',
    'lazima iwe na is, like au missing',
    'يجب أن يحتوي على is أو like أو missing',
  ],
  'must look like ORG-PAY-01': [
    'doit ressembler à ORG-PAY-01',
    'lazima ifanane na ORG-PAY-01',
    'يجب أن يكون على شكل ORG-PAY-01',
  ],
  'must have exactly one of call, flow and text': [
    'doit avoir exactement un champ parmi call, flow et text',
    'lazima iwe na moja tu kati ya call, flow na text',
    'يجب أن يحتوي على واحد فقط من call وflow وtext',
  ],
  'with languages: any must have text': [
    'avec languages: any, doit avoir text',
    'ikiwa na languages: any, lazima iwe na text',
    'مع languages: any يجب أن يحتوي على text',
  ],
  'must not have the key {name}': [
    'ne doit pas avoir la clé {name}',
    'lazima isiwe na ufunguo {name}',
    'يجب ألا يحتوي على المفتاح {name}',
  ],
}
