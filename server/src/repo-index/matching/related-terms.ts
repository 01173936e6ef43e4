// Words that programmers use for the same thing. A query often has one and a name the other.
import { stemOf } from '../ranking/tokenize.ts'

const GROUPS = [
  'add append insert push put register attach include',
  'all every each',
  'argument arg parameter param option opt setting',
  'array list sequence items collection vector',
  'attribute attr property prop field',
  'authenticate auth login credential signin',
  'begin start open init initialize setup launch',
  'boolean bool flag',
  'buffer bytes binary raw',
  'calculate compute evaluate measure estimate determine',
  'callback handler listener hook',
  'change update modify set edit alter',
  'check validate verify ensure assert test is has can exist',
  'clear reset empty flush clean',
  'close stop end finish shutdown terminate exit quit destroy dispose',
  'combine merge join concat concatenate union',
  'compare equal equals diff difference match same cmp',
  'config configuration configure settings preferences',
  'convert transform cast to into as coerce',
  'copy clone duplicate dup',
  'count number num length len size total quantity',
  'create make build new generate construct gen produce factory',
  'database db store storage',
  'date time timestamp datetime day',
  'decode parse deserialize load unpack read',
  'delete remove del drop discard erase pop unset unlink rm',
  'dictionary dict map mapping hash object table',
  'directory dir folder path',
  'display show print render draw format output',
  'download fetch get retrieve request',
  'encode serialize dump stringify marshal pack encode',
  'error err exception failure fail throw raise',
  'execute run exec call invoke apply perform dispatch trigger',
  'file path filename document',
  'filter select pick choose where',
  'find search lookup get locate query seek',
  'first head start leading',
  'function func fn callable method procedure',
  'identifier id key name uid',
  'image img picture photo',
  'index idx position pos offset place',
  'integer int number numeric',
  'iterate iter loop walk traverse each visit',
  'last tail end trailing',
  'maximum max largest highest greatest upper',
  'message msg text notification',
  'minimum min smallest lowest least lower',
  'model schema type class',
  'replace substitute sub swap',
  'response resp res reply answer result',
  'random rand shuffle sample',
  'regex regexp pattern expression',
  'return give yield get produce',
  'save write store persist dump',
  'send post emit publish dispatch push notify',
  'sort order rank arrange',
  'split divide separate partition chunk tokenize',
  'string str text characters word',
  'temporary temp tmp',
  'trim strip truncate shorten clip',
  'unique uniq distinct dedupe duplicate',
  'url uri link address href',
  'user account member',
  'wait sleep delay pause timeout',
  'wrap decorate enclose surround',
]

const groupsOf = new Map<string, Set<number>>()
for (const [group, words] of GROUPS.entries())
  for (const word of words.split(' ')) {
    const stem = stemOf(word)
    groupsOf.set(stem, (groupsOf.get(stem) ?? new Set()).add(group))
  }

/** Both are terms of `tokenize`. */
export function areRelated(a: string, b: string): boolean {
  const [one, other] = [groupsOf.get(a), groupsOf.get(b)]
  return one !== undefined && other !== undefined && !one.isDisjointFrom(other)
}
