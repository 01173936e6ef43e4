// Small functions about when and how often something is called.
import { code, type Known } from './entry.ts'

export const timing: readonly Known[] = [
  {
    name: 'debounce',
    meaning: /\bdebounc/,
    does: 'Calls a function only after it has not been asked for a while.',
    examples: [],
    js: code`
function debounce«<A extends unknown[]>»(run«: (...args: A) => void», waitMs«: number»)«: (...args: A) => void» {
  let timer«: ReturnType<typeof setTimeout> | undefined»;
  return (...args«: A») => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), waitMs);
  };
}`,
    py: code`
import threading

def debounce(run, wait_seconds):
    timer = None

    def debounced(*args, **kwargs):
        nonlocal timer
        if timer is not None:
            timer.cancel()
        timer = threading.Timer(wait_seconds, run, args, kwargs)
        timer.start()

    return debounced`,
  },
  {
    name: 'throttle',
    meaning: /\bthrottl/,
    does: 'Calls a function at most once in a while; calls in between are dropped.',
    examples: [],
    js: code`
function throttle«<A extends unknown[]>»(run«: (...args: A) => void», waitMs«: number»)«: (...args: A) => void» {
  let waiting = false;
  return (...args«: A») => {
    if (waiting) {
      return;
    }
    waiting = true;
    setTimeout(() => {
      waiting = false;
    }, waitMs);
    run(...args);
  };
}`,
    py: code`
import time

def throttle(run, wait_seconds):
    last = None

    def throttled(*args, **kwargs):
        nonlocal last
        now = time.monotonic()
        if last is None or now - last >= wait_seconds:
            last = now
            run(*args, **kwargs)

    return throttled`,
  },
  {
    name: 'sleep',
    aliases: ['wait', 'delay', 'pause'],
    meaning: /\b(sleeps?|waits?|delays?|pauses?) .{0,20}\b(ms|milliseconds|seconds|while)\b/,
    does: 'Waits for so many milliseconds.',
    examples: [],
    js: code`
function sleep(ms«: number»)«: Promise<void>» {
  return new Promise((resolve) => setTimeout(resolve, ms));
}`,
    py: code`
import time

def sleep(ms):
    time.sleep(ms / 1000)`,
  },
  {
    name: 'retry',
    aliases: ['withRetry', 'retryAsync'],
    meaning: /\bretr(y|ies|ying)\b/,
    does: 'Tries something again, waiting longer each time, and fails with the last error when no try succeeds.',
    examples: [],
    js: code`
async function retry«<T>»(attempt«: () => Promise<T>», tries = 3, waitMs = 100)«: Promise<T>» {
  let lastError«: unknown»;
  for (let i = 0; i < tries; i++) {
    try {
      return await attempt();
    } catch (error) {
      lastError = error;
      await new Promise((resolve) => setTimeout(resolve, waitMs * 2 ** i));
    }
  }
  throw lastError;
}`,
    py: code`
import time

def retry(attempt, tries=3, wait_seconds=0.1):
    for i in range(tries):
        try:
            return attempt()
        except Exception:
            if i == tries - 1:
                raise
            time.sleep(wait_seconds * 2 ** i)`,
  },
  {
    name: 'memoize',
    aliases: ['memoise', 'memo', 'cached'],
    meaning: /\bmemoi[sz]/,
    does: 'Remembers what a function returned for the same arguments.',
    examples: [],
    js: code`
function memoize«<A extends unknown[], R>»(compute«: (...args: A) => R»)«: (...args: A) => R» {
  const known = new Map«<string, R>»();
  return (...args«: A») => {
    const key = JSON.stringify(args);
    if (!known.has(key)) {
      known.set(key, compute(...args));
    }
    return known.get(key)« as R»;
  };
}`,
    py: code`
def memoize(compute):
    known = {}

    def memoized(*args):
        if args not in known:
            known[args] = compute(*args)
        return known[args]

    return memoized`,
  },
]
