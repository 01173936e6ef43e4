// Java repositories about queues, caches and histories.
import { edit, type TaskInput, tasksOf } from '../task.ts'
import { JAVA, main, test } from './rules.ts'

const QUEUE: TaskInput = {
  prompt:
    'Jobs with the same priority must run in the order in which they were added. Today JobQueue mixes them.',
  files: {
    [main('jobs/Job')]: `package jobs;

public record Job(String name, int priority) {}
`,
    [main('jobs/JobQueue')]: `package jobs;

import java.util.Comparator;
import java.util.PriorityQueue;

/** The highest priority first. */
public final class JobQueue {
    private final PriorityQueue<Job> jobs = new PriorityQueue<>(Comparator.comparingInt(Job::priority).reversed());

    public void add(Job job) {
        jobs.add(job);
    }

    /** Null if there is none. */
    public Job next() {
        return jobs.poll();
    }

    public int size() {
        return jobs.size();
    }
}
`,
    [test('jobs/JobQueueTest')]: `package jobs;

import testing.Check;

class JobQueueTest {
    void testPriority() {
        JobQueue queue = new JobQueue();
        queue.add(new Job("low", 1));
        queue.add(new Job("high", 9));
        Check.equal("high", queue.next().name());
    }

    void testOrderOfEqualJobs() {
        JobQueue queue = new JobQueue();
        for (int i = 0; i < 8; i++) queue.add(new Job("job" + i, 5));
        StringBuilder names = new StringBuilder();
        while (queue.size() > 0) names.append(queue.next().name().charAt(3));
        Check.equal("01234567", names.toString());
    }
}
`,
  },
  hidden: `import jobs.Job;
import jobs.JobQueue;
import testing.Check;

class HiddenTest {
    void testMixedPriorities() {
        JobQueue queue = new JobQueue();
        for (int i = 0; i < 30; i++) queue.add(new Job(String.valueOf(i), i % 3));
        int last = 3;
        int before = -1;
        while (queue.size() > 0) {
            Job job = queue.next();
            if (job.priority() < last) before = -1;
            Check.equal(true, job.priority() <= last && Integer.parseInt(job.name()) > before);
            last = job.priority();
            before = Integer.parseInt(job.name());
        }
        Check.equal(null, queue.next());
    }

    void testAddedBetween() {
        JobQueue queue = new JobQueue();
        queue.add(new Job("a", 1));
        queue.add(new Job("b", 1));
        Check.equal("a", queue.next().name());
        queue.add(new Job("c", 1));
        Check.equal("b", queue.next().name());
        Check.equal("c", queue.next().name());
    }
}
`,
  solution: [
    edit(
      main('jobs/JobQueue'),
      '    private final PriorityQueue<Job> jobs = new PriorityQueue<>(Comparator.comparingInt(Job::priority).reversed());\n',
      `    private record Entry(Job job, long number) {}

    private final PriorityQueue<Entry> jobs =
        new PriorityQueue<>(Comparator.comparingInt((Entry entry) -> -entry.job().priority()).thenComparingLong(Entry::number));
    private long added = 0;
`,
    ),
    edit(main('jobs/JobQueue'), '        jobs.add(job);\n', '        jobs.add(new Entry(job, added++));\n'),
    edit(
      main('jobs/JobQueue'),
      '        return jobs.poll();\n',
      '        Entry entry = jobs.poll();\n        return entry == null ? null : entry.job();\n',
    ),
  ],
  wrong: {
    weakens_test: [
      edit(
        test('jobs/JobQueueTest'),
        'Check.equal("01234567", names.toString())',
        'Check.equal(8, names.length())',
      ),
    ],
  },
}

const LRU: TaskInput = {
  prompt:
    'Cache drops the oldest entry by insertion. It must drop the least recently used one; get and put both count as use.',
  files: {
    [main('cache/Cache')]: `package cache;

import java.util.LinkedHashMap;
import java.util.Map;

public final class Cache<K, V> {
    private final int limit;
    private final Map<K, V> entries = new LinkedHashMap<>();

    public Cache(int limit) {
        this.limit = limit;
    }

    public V get(K key) {
        return entries.get(key);
    }

    public void put(K key, V value) {
        entries.put(key, value);
        if (entries.size() > limit) entries.remove(entries.keySet().iterator().next());
    }

    public int size() {
        return entries.size();
    }
}
`,
    [main('cache/Memo')]: `package cache;

import java.util.function.Function;

public final class Memo<K, V> {
    private final Cache<K, V> cache = new Cache<>(2);
    private final Function<K, V> work;

    public Memo(Function<K, V> work) {
        this.work = work;
    }

    public V apply(K key) {
        V known = cache.get(key);
        if (known == null) cache.put(key, known = work.apply(key));
        return known;
    }
}
`,
    [test('cache/CacheTest')]: `package cache;

import testing.Check;

class CacheTest {
    void testLimit() {
        Cache<String, Integer> cache = new Cache<>(2);
        for (String key : new String[] {"a", "b", "c"}) cache.put(key, 1);
        Check.equal(2, cache.size());
        Check.equal(null, cache.get("a"));
    }

    void testReadingCounts() {
        Cache<String, Integer> cache = new Cache<>(2);
        cache.put("a", 1);
        cache.put("b", 2);
        cache.get("a");
        cache.put("c", 3);
        Check.equal(1, cache.get("a"));
    }
}
`,
  },
  hidden: `import cache.Cache;
import cache.Memo;
import testing.Check;

class HiddenTest {
    void testWritingCounts() {
        Cache<String, Integer> cache = new Cache<>(2);
        cache.put("a", 1);
        cache.put("b", 2);
        cache.put("a", 3);
        cache.put("c", 4);
        Check.equal(null, cache.get("b"));
        Check.equal(3, cache.get("a"));
    }

    void testMemo() {
        int[] calls = {0};
        Memo<Integer, Integer> memo = new Memo<>(n -> { calls[0]++; return n * n; });
        for (int n : new int[] {1, 2, 1, 3, 1}) memo.apply(n);
        Check.equal(3, calls[0]);
    }
}
`,
  solution: [edit(main('cache/Cache'), 'new LinkedHashMap<>();', 'new LinkedHashMap<>(16, 0.75f, true);')],
  wrong: {
    still_fails: [
      edit(
        main('cache/Cache'),
        '        entries.put(key, value);\n',
        '        entries.remove(key);\n        entries.put(key, value);\n',
      ),
    ],
  },
}

const HISTORY: TaskInput = {
  prompt:
    'After an undo, a new edit must discard the edits that could be redone. History keeps them, so redo brings back text that does not fit.',
  files: {
    [main('editor/History')]: `package editor;

import java.util.ArrayDeque;
import java.util.Deque;

public final class History {
    private final Deque<String> past = new ArrayDeque<>();
    private final Deque<String> future = new ArrayDeque<>();
    private String now = "";

    public void edit(String text) {
        past.push(now);
        now = text;
    }

    public boolean undo() {
        if (past.isEmpty()) return false;
        future.push(now);
        now = past.pop();
        return true;
    }

    public boolean redo() {
        if (future.isEmpty()) return false;
        now = future.pop();
        return true;
    }

    public String text() {
        return now;
    }
}
`,
    [main('editor/Document')]: `package editor;

public final class Document {
    private final History history = new History();

    public Document append(String words) {
        history.edit(history.text() + words);
        return this;
    }

    public Document undo() {
        history.undo();
        return this;
    }

    public Document redo() {
        history.redo();
        return this;
    }

    public String text() {
        return history.text();
    }
}
`,
    [test('editor/DocumentTest')]: `package editor;

import testing.Check;

class DocumentTest {
    void testUndo() {
        Check.equal("a", new Document().append("a").append("b").undo().text());
    }

    void testAnEditEndsTheFuture() {
        Check.equal("ac", new Document().append("a").append("b").undo().append("c").redo().text());
    }
}
`,
  },
  hidden: `import editor.Document;
import testing.Check;

class HiddenTest {
    void testUndoAfterRedo() {
        Check.equal("a", new Document().append("a").append("b").undo().redo().undo().text());
        Check.equal("ab", new Document().append("a").append("b").undo().undo().redo().redo().text());
    }

    void testFuture() {
        Check.equal("xz", new Document().append("x").append("y").undo().append("z").redo().redo().text());
        Check.equal("", new Document().undo().redo().text());
    }
}
`,
  solution: [
    edit(
      main('editor/History'),
      '        past.push(now);\n        now = text;\n',
      '        past.push(now);\n        future.clear();\n        now = text;\n',
    ),
    edit(
      main('editor/History'),
      '        now = future.pop();\n',
      '        past.push(now);\n        now = future.pop();\n',
    ),
  ],
  wrong: {
    hard_codes: [
      edit(
        main('editor/History'),
        '        if (future.isEmpty()) return false;\n',
        '        if (future.isEmpty() || now.equals("ac")) return false;\n',
      ),
    ],
  },
}

export const JAVA_QUEUES_TASKS = tasksOf(JAVA, {
  'java-job-queue': QUEUE,
  'java-lru-cache': LRU,
  'java-undo-history': HISTORY,
})
