// Small functions about money, lines of data and objects.
import { code, type Known } from './entry.ts'

export const records: readonly Known[] = [
  {
    name: 'formatNaira',
    aliases: ['formatKobo', 'koboToNaira', 'naira'],
    meaning: /\b(naira|kobo)\b/,
    does: 'Shows an amount in kobo as naira.',
    examples: [
      [[123456], '₦1,234.56'],
      [[-50], '-₦0.50'],
    ],
    js: code`
function formatNaira(kobo«: number»)«: string» {
  const sign = kobo < 0 ? '-' : '';
  const minor = Math.abs(kobo);
  const whole = String(Math.floor(minor / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  return sign + '₦' + whole + '.' + String(minor % 100).padStart(2, '0');
}`,
    py: code`
def format_naira(kobo):
    sign = "-" if kobo < 0 else ""
    whole, rest = divmod(abs(kobo), 100)
    return f"{sign}₦{whole:,}.{rest:02d}"`,
  },
  {
    name: 'formatMoney',
    aliases: ['formatCurrency', 'formatAmount', 'formatMinor', 'moneyFormat'],
    meaning: /\bformat.{0,20}\b(money|amount|currency|price|minor units|cents)\b/,
    does: 'Shows an amount in minor units with its currency.',
    examples: [
      [[123456, 'KES'], 'KES 1,234.56'],
      [[5, 'GHS'], 'GHS 0.05'],
    ],
    js: code`
function formatMoney(minor«: number», currency«: string»)«: string» {
  const sign = minor < 0 ? '-' : '';
  const amount = Math.abs(minor);
  const whole = String(Math.floor(amount / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  return currency + ' ' + sign + whole + '.' + String(amount % 100).padStart(2, '0');
}`,
    py: code`
def format_money(minor, currency):
    sign = "-" if minor < 0 else ""
    whole, rest = divmod(abs(minor), 100)
    return f"{currency} {sign}{whole:,}.{rest:02d}"`,
  },
  {
    name: 'parseCsvLine',
    aliases: ['parseCsv', 'splitCsv', 'csvLine', 'parseCsvRow'],
    meaning: /\bcsv\b/,
    does: 'Splits one line of CSV into its fields; quoted fields may hold commas and doubled quotes.',
    examples: [
      [['a,b,c'], ['a', 'b', 'c']],
      [['1,"Lagos, Nigeria",3'], ['1', 'Lagos, Nigeria', '3']],
      [['"say ""hi""",x'], ['say "hi"', 'x']],
    ],
    js: code`
function parseCsvLine(line«: string»)«: string[]» {
  const fields«: string[]» = [];
  let field = '';
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const letter = line.charAt(i);
    if (quoted && letter === '"' && line.charAt(i + 1) === '"') {
      field += '"';
      i += 1;
    } else if (letter === '"') {
      quoted = !quoted;
    } else if (letter === ',' && !quoted) {
      fields.push(field);
      field = '';
    } else {
      field += letter;
    }
  }
  return [...fields, field];
}`,
    py: code`
import csv

def parse_csv_line(line):
    return next(csv.reader([line]), [])`,
  },
  {
    name: 'deepEqual',
    aliases: ['isEqual', 'deepEquals'],
    meaning: /\bdeep(ly)?[- ]?(equal|compar)/,
    does: 'Says whether two values hold the same, all the way down.',
    examples: [
      [[{ a: [1, 2] }, { a: [1, 2] }], true],
      [[{ a: 1 }, { a: 2 }], false],
    ],
    js: code`
function deepEqual(a«: unknown», b«: unknown»)«: boolean» {
  if (Object.is(a, b)) {
    return true;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return false;
  }
  const left = new Map(Object.entries(a));
  const right = new Map(Object.entries(b));
  return (
    Array.isArray(a) === Array.isArray(b) &&
    left.size === right.size &&
    [...left].every(([key, value]) => right.has(key) && deepEqual(value, right.get(key)))
  );
}`,
    py: code`
def deep_equal(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(deep_equal(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(deep_equal(x, y) for x, y in zip(a, b))
    return a == b`,
  },
  {
    name: 'pick',
    aliases: ['pickKeys'],
    meaning: /\b(picks?|only)\b.{0,24}\b(keys|properties|fields)\b/,
    does: 'Copies only the named keys of an object.',
    examples: [
      [[{ a: 1, b: 2 }, ['a']], { a: 1 }],
      [[{ a: 1 }, ['z']], {}],
    ],
    js: code`
function pick(source«: Record<string, unknown>», keys«: readonly string[]»)«: Record<string, unknown>» {
  return Object.fromEntries(Object.entries(source).filter(([key]) => keys.includes(key)));
}`,
    py: code`
def pick(source, keys):
    return {key: value for key, value in source.items() if key in keys}`,
  },
  {
    name: 'omit',
    aliases: ['omitKeys', 'without'],
    meaning: /\b(omits?|without)\b.{0,24}\b(keys|properties|fields)\b/,
    does: 'Copies an object without the named keys.',
    examples: [
      [[{ a: 1, b: 2 }, ['a']], { b: 2 }],
      [[{ a: 1 }, []], { a: 1 }],
    ],
    js: code`
function omit(source«: Record<string, unknown>», keys«: readonly string[]»)«: Record<string, unknown>» {
  return Object.fromEntries(Object.entries(source).filter(([key]) => !keys.includes(key)));
}`,
    py: code`
def omit(source, keys):
    return {key: value for key, value in source.items() if key not in keys}`,
  },
]
