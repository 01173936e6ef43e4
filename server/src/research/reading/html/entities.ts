// Decodes common entities, because each one costs the parser a node. Rare entities and those that would form markup
// are left to the parser.

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
      // Below 160 there are markup characters and legacy code points.
      return code >= 160 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : entity
    },
  )
}
