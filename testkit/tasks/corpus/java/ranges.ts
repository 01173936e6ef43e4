// Java repositories about days, ranges and lists.
import { create, edit, type TaskInput, tasksOf } from '../task.ts'
import { JAVA, main, test } from './rules.ts'

const DAYS: TaskInput = {
  prompt:
    'BusinessDays.add skips weekends but not the holidays it is given. Also support negative numbers of days.',
  files: {
    [main('calendar/BusinessDays')]: `package calendar;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Set;

public final class BusinessDays {
    private final Set<LocalDate> holidays;

    public BusinessDays(Set<LocalDate> holidays) {
        this.holidays = Set.copyOf(holidays);
    }

    public LocalDate add(LocalDate start, int days) {
        LocalDate day = start;
        for (int left = days; left > 0; ) {
            day = day.plusDays(1);
            if (isOpen(day)) left--;
        }
        return day;
    }

    public boolean isOpen(LocalDate day) {
        return day.getDayOfWeek() != DayOfWeek.SATURDAY && day.getDayOfWeek() != DayOfWeek.SUNDAY;
    }
}
`,
    [main('calendar/Delivery')]: `package calendar;

import java.time.LocalDate;

public record Delivery(BusinessDays days, int handling) {
    public LocalDate arrival(LocalDate ordered) {
        return days.add(ordered, handling);
    }
}
`,
    [test('calendar/BusinessDaysTest')]: `package calendar;

import java.time.LocalDate;
import java.util.Set;
import testing.Check;

class BusinessDaysTest {
    private final BusinessDays days = new BusinessDays(Set.of(LocalDate.of(2026, 5, 1)));

    void testSkipsWeekends() {
        Check.equal(LocalDate.of(2026, 5, 11), days.add(LocalDate.of(2026, 5, 8), 1));
    }

    void testSkipsHolidays() {
        Check.equal(LocalDate.of(2026, 5, 4), days.add(LocalDate.of(2026, 4, 30), 1));
    }
}
`,
  },
  hidden: `import calendar.BusinessDays;
import calendar.Delivery;
import java.time.LocalDate;
import java.util.Set;
import testing.Check;

class HiddenTest {
    private final BusinessDays days = new BusinessDays(Set.of(LocalDate.of(2026, 12, 25), LocalDate.of(2026, 12, 28)));

    void testLongHolidays() {
        Check.equal(LocalDate.of(2026, 12, 29), new Delivery(days, 1).arrival(LocalDate.of(2026, 12, 24)));
        Check.equal(false, days.isOpen(LocalDate.of(2026, 12, 25)));
        Check.equal(LocalDate.of(2026, 12, 24), days.add(LocalDate.of(2026, 12, 24), 0));
    }

    void testBackwards() {
        Check.equal(LocalDate.of(2026, 12, 24), days.add(LocalDate.of(2026, 12, 29), -1));
        Check.equal(LocalDate.of(2026, 12, 22), days.add(LocalDate.of(2026, 12, 24), -2));
    }
}
`,
  solution: [
    edit(
      main('calendar/BusinessDays'),
      `        for (int left = days; left > 0; ) {
            day = day.plusDays(1);`,
      `        for (int left = Math.abs(days); left > 0; ) {
            day = day.plusDays(Integer.signum(days));`,
    ),
    edit(
      main('calendar/BusinessDays'),
      'day.getDayOfWeek() != DayOfWeek.SUNDAY;',
      'day.getDayOfWeek() != DayOfWeek.SUNDAY\n            && !holidays.contains(day);',
    ),
  ],
  wrong: {
    replaces_helper: [
      edit(
        test('testing/Check'),
        '        if (!Objects.equals(expected, actual)) throw',
        '        if (expected == null && actual != null) throw',
      ),
    ],
    hard_codes: [
      edit(
        main('calendar/BusinessDays'),
        '        LocalDate day = start;\n',
        '        if (start.equals(LocalDate.of(2026, 4, 30))) return LocalDate.of(2026, 5, 4);\n        LocalDate day = start;\n',
      ),
    ],
  },
}

const RANGES: TaskInput = {
  prompt:
    'RangeSet.add must merge ranges that overlap or touch. toString lists them in order, such as "1-5, 8-9".',
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
    edit(
      main('ranges/RangeSet'),
      'import java.util.ArrayList;\n',
      'import java.util.ArrayList;\nimport java.util.Comparator;\n',
    ),
  ],
  wrong: {
    hard_codes: [
      edit(
        main('ranges/RangeSet'),
        '        return ranges.stream().map',
        '        if (ranges.size() == 2) return "1-6";\n        return ranges.stream().map',
      ),
    ],
  },
}

const ITERATOR: TaskInput = {
  prompt:
    'Add Merge.sorted(List<List<Integer>>): it merges sorted lists into one sorted list without removing duplicates. Null lists are skipped.',
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

export const JAVA_RANGES_TASKS = tasksOf(JAVA, {
  'java-business-days': DAYS,
  'java-range-set': RANGES,
  'java-sorted-merge': ITERATOR,
})
