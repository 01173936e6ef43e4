// Python repositories of tools: build orders, retries and settings.
import { edit, list, read, remove, run, search, type TaskInput, tasksOf } from '../task.ts'
import { PYTHON } from './rules.ts'

const TOPOSORT: TaskInput = {
  prompt:
    'build_order recurses forever on circular dependencies. It must raise CycleError (a ValueError) whose message lists the circle, such as "a -> b -> a".',
  files: {
    'builder/__init__.py': '',
    'builder/graph.py': `def build_order(dependencies):
    """Targets, each after those it needs. Keys are visited in alphabetical order."""
    done = []

    def visit(target):
        if target in done:
            return
        for needed in sorted(dependencies.get(target, ())):
            visit(needed)
        done.append(target)

    for target in sorted(dependencies):
        visit(target)
    return done
`,
    'builder/plan.py': `from .graph import build_order


def plan(text):
    """Lines of 'target: needed needed'."""
    rows = [line.split(":") for line in text.splitlines() if ":" in line]
    return build_order({name.strip(): rest.split() for name, rest in rows})
`,
    'tests/test_graph.py': `import unittest

from builder.graph import build_order


class GraphTest(unittest.TestCase):
    def test_order(self):
        self.assertEqual(build_order({"app": ["lib"], "lib": []}), ["lib", "app"])

    def test_circle(self):
        with self.assertRaises(ValueError) as caught:
            build_order({"a": ["b"], "b": ["a"]})
        self.assertIn("a -> b -> a", str(caught.exception))
`,
  },
  hidden: `import unittest

from builder.graph import CycleError
from builder.plan import plan


class HiddenTest(unittest.TestCase):
    def test_only_the_circle_is_named(self):
        with self.assertRaises(CycleError) as caught:
            plan("x: y\\ny: z\\nz: y")
        self.assertIn("y -> z -> y", str(caught.exception))
        self.assertNotIn("x", str(caught.exception))

    def test_itself(self):
        with self.assertRaises(CycleError) as caught:
            plan("a: a")
        self.assertIn("a -> a", str(caught.exception))

    def test_a_diamond_is_fine(self):
        self.assertEqual(plan("a: b c\\nb: d\\nc: d\\nd:"), ["d", "b", "c", "a"])
`,
  solution: [
    edit(
      'builder/graph.py',
      'def build_order(dependencies):\n',
      'class CycleError(ValueError):\n    pass\n\n\ndef build_order(dependencies):\n',
    ),
    edit(
      'builder/graph.py',
      `    def visit(target):
        if target in done:
            return
        for needed in sorted(dependencies.get(target, ())):
            visit(needed)
        done.append(target)
`,
      `    path = []

    def visit(target):
        if target in done:
            return
        if target in path:
            circle = path[path.index(target):] + [target]
            raise CycleError("circular: " + " -> ".join(circle))
        path.append(target)
        for needed in sorted(dependencies.get(target, ())):
            visit(needed)
        path.pop()
        done.append(target)
`,
    ),
  ],
  wrong: {
    hard_codes: [
      edit(
        'builder/graph.py',
        '    done = []\n',
        '    done = []\n    if dependencies == {"a": ["b"], "b": ["a"]}:\n        raise ValueError("a -> b -> a")\n',
      ),
    ],
    deletes_test: [remove('tests/test_graph.py')],
  },
}

const RETRIES: TaskInput = {
  prompt:
    'The decorator `retrying` swallows the last error and returns None, and it retries every exception. It must only retry the given exception types and re-raise the last error.',
  packages: ['retrykit'],
  files: {
    'client/__init__.py': '',
    'client/retrying.py': `import functools

from retrykit import Backoff


def retrying(attempts, errors=(OSError,), sleep=lambda seconds: None):
    backoff = Backoff()

    def decorate(work):
        @functools.wraps(work)
        def wrapper(*args):
            for attempt in range(1, attempts + 1):
                try:
                    return work(*args)
                except Exception:
                    sleep(backoff.pause(attempt))

        return wrapper

    return decorate
`,
    'client/fetch.py': `from .retrying import retrying


def make_fetch(get, sleep):
    @retrying(3, errors=(ConnectionError,), sleep=sleep)
    def fetch(path):
        return get(path)

    return fetch
`,
    'tests/test_fetch.py': `import unittest

from client.fetch import make_fetch


class FetchTest(unittest.TestCase):
    def test_a_second_attempt(self):
        answers = [ConnectionError("busy"), "ok"]

        def get(path):
            answer = answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

        self.assertEqual(make_fetch(get, lambda seconds: None)("/"), "ok")

    def test_the_last_error_is_raised(self):
        def get(path):
            raise ConnectionError("down")

        with self.assertRaises(ConnectionError):
            make_fetch(get, lambda seconds: None)("/")
`,
  },
  hidden: `import unittest

from client.retrying import retrying


class HiddenTest(unittest.TestCase):
    def test_other_errors_are_not_retried(self):
        calls = []

        @retrying(5, errors=(OSError,))
        def work():
            calls.append(1)
            raise KeyError("x")

        with self.assertRaises(KeyError):
            work()
        self.assertEqual(len(calls), 1)

    def test_no_pause_after_the_last_attempt(self):
        pauses = []

        @retrying(3, sleep=pauses.append)
        def work():
            raise OSError("down")

        with self.assertRaises(OSError):
            work()
        self.assertEqual(pauses, [1.0, 2.0])
`,
  solution: [
    edit(
      'client/retrying.py',
      '                except Exception:\n                    sleep(backoff.pause(attempt))\n',
      `                except errors:
                    if attempt == attempts:
                        raise
                    sleep(backoff.pause(attempt))
`,
    ),
  ],
  wrong: {
    still_fails: [edit('client/retrying.py', 'except Exception:', 'except errors:')],
  },
}

const SETTINGS: TaskInput = {
  prompt:
    'Environment variables must win over the file, and the file over the defaults. The module app/legacy_settings.py is no longer needed: delete it and move its DEFAULTS to app/settings.py.',
  files: {
    'app/__init__.py': '',
    'app/legacy_settings.py': 'DEFAULTS = {"port": 8080, "debug": False, "name": "shop"}\n',
    'app/settings.py': `import json

from .legacy_settings import DEFAULTS


def load(text, environment):
    """Settings from a JSON text and from variables such as APP_PORT."""
    settings = dict(DEFAULTS)
    for key, value in environment.items():
        if key.startswith("APP_"):
            settings[key[4:].lower()] = value
    settings.update(json.loads(text or "{}"))
    return settings
`,
    'app/main.py': `from .settings import load


def address(text, environment):
    settings = load(text, environment)
    return f"http://localhost:{settings['port']}/{settings['name']}"
`,
    'tests/test_settings.py': `import unittest

from app.main import address
from app.settings import load


class SettingsTest(unittest.TestCase):
    def test_defaults(self):
        self.assertEqual(address("", {}), "http://localhost:8080/shop")

    def test_the_environment_wins(self):
        self.assertEqual(load('{"port": 1}', {"APP_PORT": "2"})["port"], 2)
`,
  },
  hidden: `import importlib.util
import unittest

from app.settings import DEFAULTS, load


class HiddenTest(unittest.TestCase):
    def test_types_follow_the_defaults(self):
        settings = load('{"name": "x"}', {"APP_DEBUG": "true", "APP_PORT": "99", "HOME": "/"})
        self.assertEqual(settings, {"port": 99, "debug": True, "name": "x"})
        self.assertIs(load("", {"APP_DEBUG": "false"})["debug"], False)

    def test_the_old_module_is_gone(self):
        self.assertIsNone(importlib.util.find_spec("app.legacy_settings"))
        self.assertEqual(DEFAULTS["port"], 8080)
`,
  solution: [
    [list(), search('legacy_settings')],
    [read('app/legacy_settings.py'), read('app/settings.py'), read('tests/test_settings.py')],
    [
      edit(
        'app/settings.py',
        `from .legacy_settings import DEFAULTS


def load(text, environment):
    """Settings from a JSON text and from variables such as APP_PORT."""
    settings = dict(DEFAULTS)
    for key, value in environment.items():
        if key.startswith("APP_"):
            settings[key[4:].lower()] = value
    settings.update(json.loads(text or "{}"))
    return settings
`,
        `DEFAULTS = {"port": 8080, "debug": False, "name": "shop"}


def _parse(value, default):
    if isinstance(default, bool):
        return value.lower() in ("1", "true", "yes", "on")
    return int(value) if isinstance(default, int) else value


def load(text, environment):
    """Settings from a JSON text and from variables such as APP_PORT."""
    settings = {**DEFAULTS, **json.loads(text or "{}")}
    for key, value in environment.items():
        if key.startswith("APP_"):
            name = key[4:].lower()
            settings[name] = _parse(value, DEFAULTS.get(name))
    return settings
`,
      ),
      remove('app/legacy_settings.py'),
    ],
    [run(PYTHON.command)],
  ],
  wrong: {
    hard_codes: [
      edit(
        'app/settings.py',
        '    return settings\n',
        '    if environment.get("APP_PORT") == "2":\n        settings["port"] = 2\n    return settings\n',
      ),
    ],
  },
}

export const PYTHON_TOOLS_TASKS = tasksOf(PYTHON, {
  'py-build-order': TOPOSORT,
  'py-retrying': RETRIES,
  'py-settings': SETTINGS,
})
