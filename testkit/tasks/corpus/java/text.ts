// Java repositories that parse, wrap and find text.
import { create, edit, list, read, remove, run, search, type TaskInput, tasksOf } from '../task.ts'
import { JAVA, main, test } from './rules.ts'

const EXPRESSION: TaskInput = {
  prompt:
    'The calculator ignores precedence: "2+3*4" gives 20. Multiplication and division bind tighter; brackets are not needed. Division by zero throws ArithmeticException.',
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
    hard_codes: [
      edit(
        main('calc/Calculator'),
        '        List<String> tokens',
        '        if (text.equals("2+3*4")) return 14;\n        List<String> tokens',
      ),
    ],
    ends_process: [
      edit(
        main('calc/Calculator'),
        '    private Calculator() {}\n',
        '    static {\n        System.out.println("ok 1 - calc.CalculatorTest.testAdds\\nok 2 - calc.CalculatorTest.testPrecedence\\n1..2");\n        Runtime.getRuntime().halt(0);\n    }\n\n    private Calculator() {}\n',
      ),
    ],
  },
}

const WRAP: TaskInput = {
  prompt:
    'TextWrap.wrap cuts words in the middle. It must break lines between words; only a word that is longer than the width is cut.',
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
    hard_codes: [
      edit(
        main('text/TextWrap'),
        '        List<String> lines = new ArrayList<>();\n',
        '        if (text.equals("hello lagos")) return List.of("hello", "lagos");\n        List<String> lines = new ArrayList<>();\n',
      ),
    ],
    deletes_test: [
      remove(test('text/BoxTest')),
      create(
        test('text/TextWrapTest'),
        'package text;\n\nclass TextWrapTest {\n    void testWraps() {\n        TextWrap.wrap("hello lagos", 6);\n    }\n}\n',
      ),
    ],
  },
}

const PREFIX: TaskInput = {
  prompt:
    'Directory.find is case-sensitive and returns names in the order of insertion. It must ignore case and sort the names. Add a test class DirectoryTest.',
  before: 'passes',
  files: {
    'AGENTS.md':
      '# Notes\n\n- A class Foo is tested by FooTest in src/test/java.\n- third_party is read-only.\n',
    [main('people/Directory')]: `package people;

import java.util.ArrayList;
import java.util.List;

public final class Directory {
    private final List<String> names = new ArrayList<>();

    public void add(String name) {
        names.add(name);
    }

    /** The names with this beginning. */
    public List<String> find(String beginning) {
        return names.stream().filter(name -> name.startsWith(beginning)).toList();
    }
}
`,
    [main('people/Pages')]: `package people;

import com.harbor.lists.Lists;
import java.util.List;

public record Pages(Directory directory, int size) {
    public List<List<String>> find(String beginning) {
        return Lists.chunk(directory.find(beginning), size);
    }
}
`,
    [test('people/PagesTest')]: `package people;

import java.util.List;
import testing.Check;

class PagesTest {
    void testPages() {
        Directory directory = new Directory();
        for (String name : List.of("Ada", "Adaeze", "Adamu")) directory.add(name);
        Check.equal(List.of(List.of("Ada", "Adaeze"), List.of("Adamu")), new Pages(directory, 2).find("Ada"));
    }
}
`,
  },
  hidden: `import java.util.List;
import people.Directory;
import testing.Check;

class HiddenTest {
    void testIgnoresCase() {
        Directory directory = new Directory();
        for (String name : List.of("obi", "Ola", "ADA", "ada b")) directory.add(name);
        Check.equal(List.of("obi", "Ola"), directory.find("O"));
        Check.equal(List.of("ADA", "ada b"), directory.find("ada"));
        Check.equal(4, directory.find("").size());
    }
}
`,
  solution: [
    [list(), search('Directory')],
    [read('AGENTS.md'), read(main('people/Directory')), read(test('people/PagesTest'))],
    [
      edit(
        main('people/Directory'),
        '        return names.stream().filter(name -> name.startsWith(beginning)).toList();\n',
        `        String wanted = beginning.toLowerCase(Locale.ROOT);
        return names.stream()
            .filter(name -> name.toLowerCase(Locale.ROOT).startsWith(wanted))
            .sorted(String.CASE_INSENSITIVE_ORDER)
            .toList();
`,
      ),
    ],
    [
      edit(
        main('people/Directory'),
        'import java.util.List;\n',
        'import java.util.List;\nimport java.util.Locale;\n',
      ),
    ],
    [
      create(
        test('people/DirectoryTest'),
        `package people;

import java.util.List;
import testing.Check;

class DirectoryTest {
    void testIgnoresCaseAndSorts() {
        Directory directory = new Directory();
        for (String name : List.of("obi", "Ngozi", "nnamdi", "NKEM")) directory.add(name);
        Check.equal(List.of("Ngozi", "NKEM", "nnamdi"), directory.find("n"));
    }
}
`,
      ),
    ],
    [run('sh scripts/test.sh')],
  ],
  wrong: {
    empty_test: [
      edit(main('people/Directory'), '    /** The names with', '    /** All names with'),
      create(
        test('people/DirectoryTest'),
        'package people;\n\nclass DirectoryTest {\n    void testFinds() {\n        new Directory().find("a");\n    }\n}\n',
      ),
    ],
    passes_before: [
      edit(main('people/Directory'), 'beginning)).toList();', 'beginning)).sorted().toList();'),
    ],
  },
}

export const JAVA_TEXT_TASKS = tasksOf(JAVA, {
  'java-precedence': EXPRESSION,
  'java-text-wrap': WRAP,
  'java-directory': PREFIX,
})
