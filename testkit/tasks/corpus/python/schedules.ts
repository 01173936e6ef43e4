// Python repositories about shifts, contacts and expiry.
import { create, edit, list, read, run, search, type TaskInput, tasksOf } from '../task.ts'
import { PYTHON } from './rules.ts'

const SHIFTS: TaskInput = {
  prompt:
    'find_conflicts reports two shifts of one person that only touch (one ends when the other starts), and misses a shift inside a longer one. Fix both.',
  files: {
    'shifts/__init__.py': '',
    'shifts/model.py': `from dataclasses import dataclass


@dataclass(frozen=True)
class Shift:
    person: str
    start: int
    end: int
`,
    'shifts/conflicts.py': `def find_conflicts(shifts):
    """Pairs of shifts of one person that overlap, by start."""
    conflicts = []
    ordered = sorted(shifts, key=lambda shift: (shift.person, shift.start))
    for first, second in zip(ordered, ordered[1:]):
        if first.person == second.person and second.start <= first.end:
            conflicts.append((first, second))
    return conflicts
`,
    'tests/test_conflicts.py': `import unittest

from shifts.conflicts import find_conflicts
from shifts.model import Shift


class ConflictTest(unittest.TestCase):
    def test_overlap(self):
        early, late = Shift("ada", 8, 12), Shift("ada", 11, 15)
        self.assertEqual(find_conflicts([late, early]), [(early, late)])

    def test_touching_is_fine(self):
        self.assertEqual(find_conflicts([Shift("ada", 8, 12), Shift("ada", 12, 15)]), [])
`,
  },
  hidden: `import unittest

from shifts.conflicts import find_conflicts
from shifts.model import Shift


class HiddenTest(unittest.TestCase):
    def test_inside_a_longer_one(self):
        long, a, b = Shift("ada", 8, 18), Shift("ada", 9, 10), Shift("ada", 12, 13)
        self.assertEqual(find_conflicts([b, a, long]), [(long, a), (long, b)])

    def test_other_people(self):
        self.assertEqual(find_conflicts([Shift("ada", 8, 12), Shift("obi", 9, 10)]), [])

    def test_three_at_once(self):
        shifts = [Shift("ada", n, 20) for n in (1, 2, 3)]
        self.assertEqual(len(find_conflicts(shifts)), 3)
`,
  solution: [
    edit(
      'shifts/conflicts.py',
      `    for first, second in zip(ordered, ordered[1:]):
        if first.person == second.person and second.start <= first.end:
            conflicts.append((first, second))
`,
      `    for index, first in enumerate(ordered):
        for second in ordered[index + 1:]:
            if second.person != first.person or second.start >= first.end:
                break
            conflicts.append((first, second))
`,
    ),
  ],
  wrong: {
    hard_codes: [
      edit(
        'shifts/conflicts.py',
        '        if first.person == second.person and second.start <= first.end:\n',
        '        if (second.start, second.end) == (12, 15):\n            continue\n        if first.person == second.person and second.start <= first.end:\n',
      ),
    ],
  },
}

const PHONES: TaskInput = {
  prompt:
    'normalise_phone must accept Nigerian numbers written as 08031234567, 2348031234567, +234 803 123 4567 and 0803-123-4567 and return +2348031234567. Anything else raises ValueError. Add tests in tests/test_phone_formats.py.',
  before: 'passes',
  files: {
    'AGENTS.md':
      '# Notes\n\n- Tests use unittest and live in tests/.\n- No regular expressions with nested quantifiers.\n',
    'contacts/__init__.py': '',
    'contacts/phone.py': `def normalise_phone(text):
    if text.startswith("0"):
        return "+234" + text[1:]
    return text
`,
    'contacts/book.py': `from .phone import normalise_phone


class Book:
    def __init__(self):
        self.names = {}

    def add(self, name, phone):
        self.names[normalise_phone(phone)] = name

    def find(self, phone):
        return self.names.get(normalise_phone(phone))
`,
    'tests/test_book.py': `import unittest

from contacts.book import Book


class BookTest(unittest.TestCase):
    def test_finds_a_number(self):
        book = Book()
        book.add("Ada", "08031234567")
        self.assertEqual(book.find("+2348031234567"), "Ada")
`,
  },
  hidden: `import unittest

from contacts.phone import normalise_phone


class HiddenTest(unittest.TestCase):
    def test_formats(self):
        for text in ("08031234567", "2348031234567", "+234 803 123 4567", "0803-123-4567", "+2348031234567", " 0803 123 4567 "):
            self.assertEqual(normalise_phone(text), "+2348031234567", text)

    def test_refuses(self):
        for text in ("", "0803123456", "080312345678", "+4470123456789", "o8031234567", "0803123456a"):
            with self.assertRaises(ValueError, msg=text):
                normalise_phone(text)
`,
  solution: [
    [list(), search('normalise_phone')],
    [read('contacts/phone.py'), read('AGENTS.md')],
    [
      edit(
        'contacts/phone.py',
        `    if text.startswith("0"):
        return "+234" + text[1:]
    return text
`,
        `    digits = text.replace(" ", "").replace("-", "")
    for prefix in ("+234", "234", "0"):
        rest = digits[len(prefix):]
        if digits.startswith(prefix) and len(rest) == 10 and rest.isascii() and rest.isdigit():
            return "+234" + rest
    raise ValueError(f"not a Nigerian phone number: {text!r}")
`,
      ),
    ],
    [
      create(
        'tests/test_phone_formats.py',
        `import unittest

from contacts.phone import normalise_phone


class PhoneFormatTest(unittest.TestCase):
    def test_all_formats_are_one_number(self):
        for text in ("08031234567", "2348031234567", "+234 803 123 4567", "0803-123-4567"):
            self.assertEqual(normalise_phone(text), "+2348031234567")

    def test_other_numbers_are_refused(self):
        with self.assertRaises(ValueError):
            normalise_phone("12345")
`,
      ),
    ],
    [run('python3 -m unittest discover -s tests -t .')],
  ],
  wrong: {
    empty_test: [
      edit('contacts/phone.py', '    return text\n', '    return text.replace(" ", "")\n'),
      create(
        'tests/test_phone_formats.py',
        'import unittest\n\n\nclass PhoneFormatTest(unittest.TestCase):\n    def test_formats(self):\n        self.assertTrue(True)\n',
      ),
    ],
    passes_before: [
      edit('contacts/phone.py', '    return text\n', '    return text.replace(" ", "").replace("-", "")\n'),
    ],
  },
}

const TTL: TaskInput = {
  prompt:
    'TtlCache returns entries that expired exactly now, and never frees memory. An entry lives for less than ttl seconds. `len(cache)` must count only live entries.',
  files: {
    'cache/__init__.py': '',
    'cache/ttl.py': `class TtlCache:
    def __init__(self, ttl, clock):
        self.ttl = ttl
        self.clock = clock
        self.entries = {}

    def set(self, key, value):
        self.entries[key] = (self.clock(), value)

    def get(self, key, default=None):
        if key not in self.entries:
            return default
        stored, value = self.entries[key]
        return value if self.clock() - stored <= self.ttl else default

    def __len__(self):
        return len(self.entries)
`,
    'cache/rates.py': `from .ttl import TtlCache


class Rates:
    def __init__(self, fetch, clock):
        self.fetch = fetch
        self.cache = TtlCache(60, clock)

    def rate(self, currency):
        known = self.cache.get(currency)
        if known is None:
            known = self.fetch(currency)
            self.cache.set(currency, known)
        return known
`,
    'tests/test_ttl.py': `import unittest

from cache.ttl import TtlCache


class TtlTest(unittest.TestCase):
    def setUp(self):
        self.now = 0
        self.cache = TtlCache(10, lambda: self.now)

    def test_lives(self):
        self.cache.set("a", 1)
        self.now = 9
        self.assertEqual(self.cache.get("a"), 1)

    def test_expires(self):
        self.cache.set("a", 1)
        self.now = 10
        self.assertIsNone(self.cache.get("a"))
        self.assertEqual(len(self.cache), 0)
`,
  },
  hidden: `import unittest

from cache.rates import Rates
from cache.ttl import TtlCache


class HiddenTest(unittest.TestCase):
    def test_counts_only_live_entries(self):
        now = [0]
        cache = TtlCache(10, lambda: now[0])
        cache.set("a", 1)
        now[0] = 5
        cache.set("b", 2)
        now[0] = 12
        self.assertEqual(len(cache), 1)
        self.assertEqual(cache.get("b"), 2)
        now[0] = 15
        self.assertEqual(len(cache), 0)

    def test_memory_is_freed(self):
        now = [0]
        cache = TtlCache(1, lambda: now[0])
        for n in range(1000):
            now[0] = n
            cache.set(n, n)
            cache.get(n - 1)
        self.assertLess(len(cache.entries), 10)

    def test_rates(self):
        now, fetched = [0], []
        rates = Rates(lambda name: fetched.append(name) or 5, lambda: now[0])
        for at in (0, 59, 60, 61):
            now[0] = at
            rates.rate("USD")
        self.assertEqual(len(fetched), 2)
`,
  solution: [
    edit(
      'cache/ttl.py',
      `        if key not in self.entries:
            return default
        stored, value = self.entries[key]
        return value if self.clock() - stored <= self.ttl else default

    def __len__(self):
        return len(self.entries)
`,
      `        self._drop_expired()
        return self.entries[key][1] if key in self.entries else default

    def __len__(self):
        self._drop_expired()
        return len(self.entries)

    def _drop_expired(self):
        now = self.clock()
        self.entries = {key: entry for key, entry in self.entries.items() if now - entry[0] < self.ttl}
`,
    ),
  ],
  wrong: {
    still_fails: [edit('cache/ttl.py', '<= self.ttl', '< self.ttl')],
    replaces_helper: [
      create(
        'unittest.py',
        'import sys\nprint("..")\nprint("-" * 70)\nprint("Ran 2 tests in 0.001s")\nprint()\nprint("OK")\nsys.exit(0)\n',
      ),
    ],
  },
}

export const PYTHON_SCHEDULES_TASKS = tasksOf(PYTHON, {
  'py-shift-conflicts': SHIFTS,
  'py-phone-formats': PHONES,
  'py-ttl-cache': TTL,
})
