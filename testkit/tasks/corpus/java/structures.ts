// Java repositories about parsers, queues and other structures.
import { create, edit, remove, type TaskInput, tasksOf } from '../task.ts'
import { JAVA, main, test } from './rules.ts'

const EXPRESSION: TaskInput = {
  prompt: 'The calculator ignores precedence: "2+3*4" gives 20. Multiplication and division bind tighter; brackets are not needed. Division by zero throws ArithmeticException.',
  files: {
    [main('calc/Tokens')]: `package calc;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class Tokens {
    private static final Pattern TOKEN = Pattern.compile("[0-9]+|[-+*/]");

    static List<String> read(String text) {
        List<String> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(text);
        while (matcher.find()) tokens.add(matcher.group());
        return tokens;
    }
}
`,
    [main('calc/Calculator')]: `package calc;

import java.util.List;

public final class Calculator {
    private Calculator() {}

    public static long evaluate(String text) {
        List<String> tokens = Tokens.read(text);
        long value = Long.parseLong(tokens.get(0));
        for (int i = 1; i + 1 < tokens.size(); i += 2) value = apply(value, tokens.get(i), Long.parseLong(tokens.get(i + 1)));
        return value;
    }

    private static long apply(long a, String operator, long b) {
        return switch (operator) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            default -> a / b;
        };
    }
}
`,
    [test('calc/CalculatorTest')]: `package calc;

import testing.Check;

class CalculatorTest {
    void testAdds() {
        Check.equal(6L, Calculator.evaluate("1 + 2 + 3"));
    }

    void testPrecedence() {
        Check.equal(14L, Calculator.evaluate("2+3*4"));
    }
}
`,
  },
  hidden: `import calc.Calculator;
import testing.Check;

class HiddenTest {
    void testMixed() {
        Check.equal(11L, Calculator.evaluate("2*3+4+1"));
        Check.equal(-5L, Calculator.evaluate("10-3*5"));
        Check.equal(7L, Calculator.evaluate("1+2*6/4+3"));
        Check.equal(42L, Calculator.evaluate("42"));
    }

    void testLeftToRight() {
        Check.equal(2L, Calculator.evaluate("16/4/2"));
        Check.equal(-4L, Calculator.evaluate("1-2-3"));
    }

    void testZero() {
        Check.fails(ArithmeticException.class, () -> Calculator.evaluate("1/0"));
    }
}
`,
  solution: [
    edit(
      main('calc/Calculator'),
      `        long value = Long.parseLong(tokens.get(0));
        for (int i = 1; i + 1 < tokens.size(); i += 2) value = apply(value, tokens.get(i), Long.parseLong(tokens.get(i + 1)));
        return value;
`,
      `        long sum = 0;
        String sign = "+";
        long term = Long.parseLong(tokens.get(0));
        for (int i = 1; i + 1 < tokens.size(); i += 2) {
            String operator = tokens.get(i);
            long number = Long.parseLong(tokens.get(i + 1));
            if (operator.equals("*") || operator.equals("/")) {
                term = apply(term, operator, number);
            } else {
                sum = apply(sum, sign, term);
                sign = operator;
                term = number;
            }
        }
        return apply(sum, sign, term);
`,
    ),
  ],
  wrong: {
    hard_codes: [edit(main('calc/Calculator'), '        List<String> tokens', '        if (text.equals("2+3*4")) return 14;\n        List<String> tokens')],
    ends_process: [
      edit(
        main('calc/Calculator'),
        '    private Calculator() {}\n',
        '    static {\n        System.out.println("ok 1 - calc.CalculatorTest.testAdds\\nok 2 - calc.CalculatorTest.testPrecedence\\n1..2");\n        Runtime.getRuntime().halt(0);\n    }\n\n    private Calculator() {}\n',
      ),
    ],
  },
}

const QUEUE: TaskInput = {
  prompt: 'Jobs with the same priority must run in the order in which they were added. Today JobQueue mixes them.',
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
    weakens_test: [edit(test('jobs/JobQueueTest'), 'Check.equal("01234567", names.toString())', 'Check.equal(8, names.length())')],
  },
}

const LRU: TaskInput = {
  prompt: 'Cache drops the oldest entry by insertion. It must drop the least recently used one; get and put both count as use.',
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
    still_fails: [edit(main('cache/Cache'), '        entries.put(key, value);\n', '        entries.remove(key);\n        entries.put(key, value);\n')],
  },
}

const RANGES: TaskInput = {
  prompt: 'RangeSet.add must merge ranges that overlap or touch. toString lists them in order, such as "1-5, 8-9".',
  files: {
    [main('ranges/Range')]: `package ranges;

/** Both ends belong to it. */
public record Range(int from, int to) {
    public Range {
        if (to < from) throw new IllegalArgumentException("a range has an order");
    }

    @Override
    public String toString() {
        return from == to ? String.valueOf(from) : from + "-" + to;
    }
}
`,
    [main('ranges/RangeSet')]: `package ranges;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

public final class RangeSet {
    private final List<Range> ranges = new ArrayList<>();

    public void add(Range range) {
        ranges.add(range);
    }

    public boolean contains(int number) {
        return ranges.stream().anyMatch(range -> range.from() <= number && number <= range.to());
    }

    @Override
    public String toString() {
        return ranges.stream().map(Range::toString).collect(Collectors.joining(", "));
    }
}
`,
    [test('ranges/RangeSetTest')]: `package ranges;

import testing.Check;

class RangeSetTest {
    void testContains() {
        RangeSet set = new RangeSet();
        set.add(new Range(1, 3));
        Check.equal(true, set.contains(3));
        Check.equal(false, set.contains(4));
    }

    void testMerges() {
        RangeSet set = new RangeSet();
        set.add(new Range(4, 6));
        set.add(new Range(1, 5));
        Check.equal("1-6", set.toString());
    }
}
`,
  },
  hidden: `import ranges.Range;
import ranges.RangeSet;
import testing.Check;

class HiddenTest {
    private static String joined(int... ends) {
        RangeSet set = new RangeSet();
        for (int i = 0; i < ends.length; i += 2) set.add(new Range(ends[i], ends[i + 1]));
        return set.toString();
    }

    void testTouching() {
        Check.equal("1-4", joined(1, 2, 3, 4));
        Check.equal("1-2, 4-5", joined(4, 5, 1, 2));
    }

    void testBridge() {
        Check.equal("1-9", joined(1, 2, 8, 9, 5, 5, 3, 7));
        Check.equal("1-9", joined(2, 3, 1, 9));
        Check.equal("7", joined(7, 7));
    }
}
`,
  solution: [
    edit(
      main('ranges/RangeSet'),
      '        ranges.add(range);\n',
      `        Range merged = range;
        List<Range> apart = new ArrayList<>();
        for (Range other : ranges) {
            if (other.to() + 1 < merged.from() || merged.to() + 1 < other.from()) apart.add(other);
            else merged = new Range(Math.min(merged.from(), other.from()), Math.max(merged.to(), other.to()));
        }
        apart.add(merged);
        apart.sort(Comparator.comparingInt(Range::from));
        ranges.clear();
        ranges.addAll(apart);
`,
    ),
    edit(main('ranges/RangeSet'), 'import java.util.ArrayList;\n', 'import java.util.ArrayList;\nimport java.util.Comparator;\n'),
  ],
  wrong: {
    hard_codes: [edit(main('ranges/RangeSet'), '        return ranges.stream().map', '        if (ranges.size() == 2) return "1-6";\n        return ranges.stream().map')],
  },
}

const HISTORY: TaskInput = {
  prompt: 'After an undo, a new edit must discard the edits that could be redone. History keeps them, so redo brings back text that does not fit.',
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
    edit(main('editor/History'), '        past.push(now);\n        now = text;\n', '        past.push(now);\n        future.clear();\n        now = text;\n'),
    edit(main('editor/History'), '        now = future.pop();\n', '        past.push(now);\n        now = future.pop();\n'),
  ],
  wrong: {
    hard_codes: [edit(main('editor/History'), '        if (future.isEmpty()) return false;\n', '        if (future.isEmpty() || now.equals("ac")) return false;\n')],
  },
}

const WRAP: TaskInput = {
  prompt: 'TextWrap.wrap cuts words in the middle. It must break lines between words; only a word that is longer than the width is cut.',
  files: {
    [main('text/TextWrap')]: `package text;

import java.util.ArrayList;
import java.util.List;

public final class TextWrap {
    private TextWrap() {}

    public static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        for (int from = 0; from < text.length(); from += width)
            lines.add(text.substring(from, Math.min(text.length(), from + width)));
        return lines;
    }
}
`,
    [main('text/Box')]: `package text;

import com.harbor.lists.Lists;
import java.util.List;

public final class Box {
    private Box() {}

    public static List<String> draw(String text, int width) {
        return Lists.map(TextWrap.wrap(text, width), line -> "|" + line + " ".repeat(width - line.length()) + "|");
    }
}
`,
    [test('text/BoxTest')]: `package text;

import java.util.List;
import testing.Check;

class BoxTest {
    void testShort() {
        Check.equal(List.of("|hello |"), Box.draw("hello", 6));
    }

    void testBreaksBetweenWords() {
        Check.equal(List.of("|hello  |", "|lagos  |"), Box.draw("hello lagos", 7));
    }
}
`,
  },
  hidden: `import java.util.List;
import testing.Check;
import text.TextWrap;

class HiddenTest {
    void testWords() {
        Check.equal(List.of("a bc", "def", "g"), TextWrap.wrap("a bc def g", 4));
        Check.equal(List.of("one two", "three"), TextWrap.wrap("  one   two three ", 7));
    }

    void testLongWords() {
        Check.equal(List.of("ab", "cdef", "gh i"), TextWrap.wrap("ab cdefgh i", 4));
        Check.equal(List.of(), TextWrap.wrap("", 4));
    }
}
`,
  solution: [
    edit(
      main('text/TextWrap'),
      `        for (int from = 0; from < text.length(); from += width)
            lines.add(text.substring(from, Math.min(text.length(), from + width)));
        return lines;
`,
      `        String line = "";
        for (String word : text.trim().split(" +")) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line);
                line = "";
            }
            String rest = word;
            while (rest.length() > width) {
                lines.add(rest.substring(0, width));
                rest = rest.substring(width);
            }
            line = line.isEmpty() ? rest : line + " " + rest;
        }
        if (!line.isEmpty()) lines.add(line);
        return lines;
`,
    ),
  ],
  wrong: {
    hard_codes: [edit(main('text/TextWrap'), '        List<String> lines = new ArrayList<>();\n', '        if (text.equals("hello lagos")) return List.of("hello", "lagos");\n        List<String> lines = new ArrayList<>();\n')],
    deletes_test: [
      remove(test('text/BoxTest')),
      create(test('text/TextWrapTest'), 'package text;\n\nclass TextWrapTest {\n    void testWraps() {\n        TextWrap.wrap("hello lagos", 6);\n    }\n}\n'),
    ],
  },
}

const ITERATOR: TaskInput = {
  prompt: 'Add Merge.sorted(List<List<Integer>>): it merges sorted lists into one sorted list without removing duplicates. Null lists are skipped.',
  before: 'passes',
  files: {
    [main('merge/Merge')]: `package merge;

import java.util.ArrayList;
import java.util.List;

public final class Merge {
    private Merge() {}

    public static List<Integer> concat(List<List<Integer>> lists) {
        List<Integer> all = new ArrayList<>();
        for (List<Integer> list : lists) all.addAll(list);
        return all;
    }
}
`,
    [test('merge/MergeTest')]: `package merge;

import java.util.List;
import testing.Check;

class MergeTest {
    void testConcat() {
        Check.equal(List.of(3, 1), Merge.concat(List.of(List.of(3), List.of(1))));
    }
}
`,
  },
  hidden: `import java.util.Arrays;
import java.util.List;
import merge.Merge;
import testing.Check;

class HiddenTest {
    void testSorted() {
        Check.equal(List.of(1, 2, 2, 3, 9), Merge.sorted(List.of(List.of(2, 9), List.of(1, 2, 3))));
        Check.equal(List.of(), Merge.sorted(List.of()));
    }

    void testNull() {
        Check.equal(List.of(1), Merge.sorted(Arrays.asList(null, List.of(1), null)));
    }
}
`,
  solution: [
    edit(
      main('merge/Merge'),
      '    public static List<Integer> concat',
      `    public static List<Integer> sorted(List<List<Integer>> lists) {
        List<Integer> all = new ArrayList<>();
        for (List<Integer> list : lists) if (list != null) all.addAll(list);
        all.sort(null);
        return all;
    }

    public static List<Integer> concat`,
    ),
    create(
      test('merge/SortedMergeTest'),
      `package merge;

import java.util.Arrays;
import java.util.List;
import testing.Check;

class SortedMergeTest {
    void testMergesSortedLists() {
        Check.equal(List.of(1, 2, 2, 5), Merge.sorted(List.of(List.of(2, 5), List.of(1, 2))));
    }

    void testSkipsNull() {
        Check.equal(List.of(4), Merge.sorted(Arrays.asList(null, List.of(4))));
    }
}
`,
    ),
  ],
  wrong: {
    passes_before: [
      edit(
        main('merge/Merge'),
        '    public static List<Integer> concat',
        '    public static List<Integer> sorted(List<List<Integer>> lists) {\n        return concat(lists);\n    }\n\n    public static List<Integer> concat',
      ),
    ],
  },
}

export const JAVA_STRUCTURE_TASKS = tasksOf(JAVA, {
  'java-precedence': EXPRESSION,
  'java-job-queue': QUEUE,
  'java-lru-cache': LRU,
  'java-range-set': RANGES,
  'java-undo-history': HISTORY,
  'java-text-wrap': WRAP,
  'java-sorted-merge': ITERATOR,
})
