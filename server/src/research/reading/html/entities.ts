// The entities that texts are full of, replaced by what they stand for, because a parser pays for each of them. The rare ones and
// those that would make markup are left to it.

const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ nbsp: '\u00a0', quot: '"', apos: "'", gt: '>', rsquo: '’', lsquo: '‘', ldquo: '“', rdquo: '”' },
    ...{
      mdash: '—',
      ndash: '–',
      hellip: '…',
      middot: '·',
      bull: '•',
      copy: '©',
      reg: '®',
      laquo: '«',
      raquo: '»',
    },
    ...{ eacute: 'é', egrave: 'è', ecirc: 'ê', agrave: 'à', acirc: 'â', ccedil: 'ç', ocirc: 'ô', ucirc: 'û' },
    ...{
      aacute: 'á',
      atilde: 'ã',
      iacute: 'í',
      oacute: 'ó',
      otilde: 'õ',
      uacute: 'ú',
      ntilde: 'ñ',
      uuml: 'ü',
    },
  }),
)

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:([a-z]{2,6})|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (entity, name, decimal, hex) => {
      if (name) return NAMED.get(name) ?? entity
      const code = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16)
      // Below 160 there are signs of markup and old mistakes with names of their own.
      return code >= 160 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : entity
    },
  )
}
