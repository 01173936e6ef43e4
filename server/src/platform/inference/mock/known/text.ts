// Small functions about text.
import { code, type Known } from './entry.ts'

export const text: readonly Known[] = [
  {
    name: 'slugify',
    aliases: ['slug', 'toSlug', 'makeSlug'],
    meaning: /\bslug(s|if\w*)?\b|\burl[- ](friendly|safe)\b/,
    does: 'Turns a title into lower-case words joined by hyphens, for use in a URL.',
    examples: [
      [['Hello, World!'], 'hello-world'],
      [['  Jollof   Rice  '], 'jollof-rice'],
    ],
    js: code`
function slugify(text«: string»)«: string» {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}`,
    py: code`
import re
import unicodedata

def slugify(text):
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")`,
  },
  {
    name: 'isPalindrome',
    aliases: ['palindrome', 'checkPalindrome'],
    meaning: /\bpalindrome\b/,
    does: 'Says whether a text reads the same backwards, ignoring case and everything but letters and digits.',
    examples: [
      [['Madam'], true],
      [['A man, a plan, a canal: Panama'], true],
      [['Lagos'], false],
    ],
    js: code`
function isPalindrome(text«: string»)«: boolean» {
  const letters = text.toLowerCase().replace(/[^a-z0-9]/g, '');
  return letters === [...letters].reverse().join('');
}`,
    py: code`
def is_palindrome(text):
    letters = [letter for letter in text.lower() if letter.isalnum()]
    return letters == letters[::-1]`,
  },
  {
    name: 'capitalize',
    aliases: ['capitalise', 'upperFirst', 'ucfirst', 'capitalizeFirst'],
    meaning: /\bcapitali[sz]es?\b|\bfirst letter\b.{0,20}\bupper/,
    does: 'Makes the first letter of a text a capital.',
    examples: [
      [['hello'], 'Hello'],
      [[''], ''],
    ],
    js: code`
function capitalize(text«: string»)«: string» {
  return text.charAt(0).toUpperCase() + text.slice(1);
}`,
    py: code`
def capitalize(text):
    return text[:1].upper() + text[1:]`,
  },
  {
    name: 'titleCase',
    aliases: ['toTitleCase'],
    meaning: /\btitle[- ]case\b|\bcapitali[sz]es? (each|every) word/,
    does: 'Gives every word of a text a capital.',
    examples: [
      [['hello big world'], 'Hello Big World'],
      [['LAGOS state'], 'Lagos State'],
    ],
    js: code`
function titleCase(text«: string»)«: string» {
  return text
    .toLowerCase()
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}`,
    py: code`
def title_case(text):
    return " ".join(word[:1].upper() + word[1:] for word in text.lower().split(" "))`,
  },
  {
    name: 'reverseString',
    aliases: ['reverse', 'reverseText', 'reversed'],
    meaning: /\brevers(e|es|ing)\b/,
    does: 'Writes a text backwards.',
    examples: [
      [['abc'], 'cba'],
      [[''], ''],
    ],
    js: code`
function reverseString(text«: string»)«: string» {
  return [...text].reverse().join('');
}`,
    py: code`
def reverse_string(text):
    return text[::-1]`,
  },
  {
    name: 'camelCase',
    aliases: ['toCamelCase', 'camelize'],
    meaning: /\bcamel[- ]?case\b/,
    does: 'Joins words in camelCase.',
    examples: [
      [['hello big world'], 'helloBigWorld'],
      [['user_name'], 'userName'],
    ],
    js: code`
function camelCase(text«: string»)«: string» {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words
    .map((word, i) => (i === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()))
    .join('');
}`,
    py: code`
import re

def camel_case(text):
    words = [word for word in re.split(r"[^A-Za-z0-9]+", text) if word]
    return "".join(word.lower() if i == 0 else word.capitalize() for i, word in enumerate(words))`,
  },
  {
    name: 'snakeCase',
    aliases: ['toSnakeCase', 'underscore'],
    meaning: /\bsnake[- ]?case\b/,
    does: 'Joins words in snake_case.',
    examples: [
      [['helloBigWorld'], 'hello_big_world'],
      [['User name'], 'user_name'],
    ],
    js: code`
function snakeCase(text«: string»)«: string» {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}`,
    py: code`
import re

def snake_case(text):
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", text)
    return re.sub(r"[^A-Za-z0-9]+", "_", spaced).lower()`,
  },
  {
    name: 'kebabCase',
    aliases: ['toKebabCase', 'dashCase'],
    meaning: /\bkebab[- ]?case\b/,
    does: 'Joins words in kebab-case.',
    examples: [
      [['helloBigWorld'], 'hello-big-world'],
      [['User name'], 'user-name'],
    ],
    js: code`
function kebabCase(text«: string»)«: string» {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();
}`,
    py: code`
import re

def kebab_case(text):
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1-\2", text)
    return re.sub(r"[^A-Za-z0-9]+", "-", spaced).lower()`,
  },
  {
    name: 'wordCount',
    aliases: ['countWords', 'wordsIn'],
    meaning: /\b(counts?|number of)( the)? words\b|\bword count\b/,
    does: 'Counts the words of a text.',
    examples: [
      [['the quick  brown fox'], 4],
      [['   '], 0],
    ],
    js: code`
function wordCount(text«: string»)«: number» {
  return text.split(/\s+/).filter((word) => word !== '').length;
}`,
    py: code`
def word_count(text):
    return len(text.split())`,
  },
  {
    name: 'countVowels',
    aliases: ['vowels', 'vowelCount'],
    meaning: /\bvowels?\b/,
    does: 'Counts the vowels of a text.',
    examples: [
      [['Nairobi'], 4],
      [['rhythm'], 0],
    ],
    js: code`
function countVowels(text«: string»)«: number» {
  return [...text.toLowerCase()].filter((letter) => 'aeiou'.includes(letter)).length;
}`,
    py: code`
def count_vowels(text):
    return len([letter for letter in text.lower() if letter in "aeiou"])`,
  },
  {
    name: 'truncate',
    aliases: ['shorten', 'ellipsis', 'truncateText'],
    meaning: /\b(truncat|shorten)(e|es|s)?\b/,
    does: 'Cuts a text to a length and shows with … that it was cut.',
    examples: [
      [['Hello world', 6], 'Hello…'],
      [['Hi', 6], 'Hi'],
    ],
    js: code`
function truncate(text«: string», length«: number»)«: string» {
  return text.length <= length ? text : text.slice(0, Math.max(0, length - 1)) + '…';
}`,
    py: code`
def truncate(text, length):
    return text if len(text) <= length else text[:max(0, length - 1)] + "…"`,
  },
  {
    name: 'isEmail',
    aliases: ['validateEmail', 'isValidEmail', 'emailValid'],
    meaning: /\b(valid|validates?|is|checks?)\b.{0,24}\be-?mail\b/,
    does: 'Says whether a text looks like an e-mail address.',
    examples: [
      [['ada@example.com'], true],
      [['ada@example'], false],
      [['not an address'], false],
    ],
    js: code`
function isEmail(text«: string»)«: boolean» {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);
}`,
    py: code`
import re

def is_email(text):
    return re.fullmatch(r"[^\s@]+@[^\s@.]+(\.[^\s@.]+)+", text) is not None`,
  },
]
